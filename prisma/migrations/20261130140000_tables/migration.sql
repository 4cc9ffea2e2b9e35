-- The tables. On an empty database: takes no lock that anybody waits for.
-- References between rows of business data are composite, so that none can cross organizations.
-- rate_bucket is unlogged: a crash may refill a rate limit, and nothing else reads it.

CREATE TABLE organization (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    rule_version INTEGER NOT NULL DEFAULT 0,
    undo_seconds INTEGER NOT NULL DEFAULT 60,
    requests_per_minute INTEGER NOT NULL DEFAULT 600,
    request_burst INTEGER NOT NULL DEFAULT 100,
    version INTEGER NOT NULL DEFAULT 1,
    policy_version BIGINT NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT organization_pkey PRIMARY KEY (id)
);

CREATE TABLE data_key (
    org_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    wrapped BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT data_key_pkey PRIMARY KEY (org_id,version)
);

CREATE TABLE department (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT department_pkey PRIMARY KEY (id)
);

CREATE TABLE member (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    password_hash TEXT,
    failed_count INTEGER NOT NULL DEFAULT 0,
    locked_until TIMESTAMPTZ(3),
    disabled_at TIMESTAMPTZ(3),
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT member_pkey PRIMARY KEY (id)
);

CREATE TABLE sign_in (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    secret_hash BYTEA NOT NULL,
    user_agent TEXT NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    revoked_at TIMESTAMPTZ(3),

    CONSTRAINT sign_in_pkey PRIMARY KEY (id)
);

CREATE TABLE setup_link (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    member_id TEXT,
    secret_hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    used_at TIMESTAMPTZ(3),

    CONSTRAINT setup_link_pkey PRIMARY KEY (id)
);

CREATE TABLE personal_token (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    name TEXT NOT NULL,
    secret_hash BYTEA NOT NULL,
    scopes TEXT[],
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    revoked_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),

    CONSTRAINT personal_token_pkey PRIMARY KEY (id)
);

CREATE TABLE agent (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    department_id TEXT,
    owner_id TEXT NOT NULL,
    name TEXT NOT NULL,
    autonomy TEXT NOT NULL DEFAULT 'supervised',
    paused_at TIMESTAMPTZ(3),
    paused_by TEXT,
    read_only BOOLEAN NOT NULL DEFAULT false,
    pending_limit INTEGER NOT NULL DEFAULT 20,
    version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT agent_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_key (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    issued_by TEXT NOT NULL,
    secret_hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    revoked_at TIMESTAMPTZ(3),
    last_used_at TIMESTAMPTZ(3),

    CONSTRAINT agent_key_pkey PRIMARY KEY (id)
);

CREATE TABLE connection (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    account TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'active',
    config JSONB NOT NULL DEFAULT '{}',
    config_version INTEGER NOT NULL DEFAULT 1,
    capabilities TEXT[],
    sensitive BOOLEAN NOT NULL DEFAULT false,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT connection_pkey PRIMARY KEY (id)
);

CREATE TABLE credential (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'active',
    sealed BYTEA,
    hint TEXT NOT NULL DEFAULT '',
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    retired_at TIMESTAMPTZ(3),

    CONSTRAINT credential_pkey PRIMARY KEY (id)
);

CREATE TABLE trusted_destination (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT trusted_destination_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_grant (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    access TEXT NOT NULL DEFAULT 'read',
    actions TEXT[],
    max_risk TEXT NOT NULL DEFAULT 'low',
    allow JSONB NOT NULL DEFAULT '{}',
    per_minute INTEGER,
    per_hour INTEGER,
    per_day INTEGER,
    expires_at TIMESTAMPTZ(3),
    revoked_at TIMESTAMPTZ(3),
    version INTEGER NOT NULL DEFAULT 1,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT agent_grant_pkey PRIMARY KEY (id)
);

CREATE TABLE grant_usage (
    org_id TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    minute_start TIMESTAMPTZ(3) NOT NULL,
    minute_count INTEGER NOT NULL DEFAULT 0,
    hour_start TIMESTAMPTZ(3) NOT NULL,
    hour_count INTEGER NOT NULL DEFAULT 0,
    day_start TIMESTAMPTZ(3) NOT NULL,
    day_count INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT grant_usage_pkey PRIMARY KEY (org_id,grant_id)
);

CREATE TABLE rule (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    name TEXT NOT NULL,
    verdict TEXT NOT NULL,
    condition TEXT NOT NULL,
    required_role TEXT,
    people INTEGER NOT NULL DEFAULT 1,
    expires_minutes INTEGER,
    enabled BOOLEAN NOT NULL DEFAULT true,
    version INTEGER NOT NULL DEFAULT 1,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT rule_pkey PRIMARY KEY (id)
);

CREATE TABLE rule_set (
    org_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    rules JSONB NOT NULL,
    changed_by TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT rule_set_pkey PRIMARY KEY (org_id,version)
);

CREATE TABLE control_state (
    org_id TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    kill_level TEXT,
    kill_by TEXT,
    kill_at TIMESTAMPTZ(3),
    kill_reason BYTEA,
    read_only BOOLEAN NOT NULL DEFAULT false,
    actions_off TEXT[] DEFAULT ARRAY[]::TEXT[],
    released_at TIMESTAMPTZ(3),

    CONSTRAINT control_state_pkey PRIMARY KEY (org_id)
);

CREATE TABLE deployment_control (
    replica TEXT NOT NULL,
    level TEXT NOT NULL,
    leased_until TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT deployment_control_pkey PRIMARY KEY (replica)
);

CREATE TABLE session (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT 'external',
    labels TEXT[],
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT session_pkey PRIMARY KEY (id)
);

CREATE TABLE task (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_id TEXT,
    status TEXT NOT NULL DEFAULT 'queued',
    created_by TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT task_pkey PRIMARY KEY (id)
);

CREATE TABLE tool_request (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent_key_id TEXT NOT NULL,
    acting_for_id TEXT,
    connection_id TEXT,
    grant_id TEXT,
    grant_version INTEGER,
    session_id TEXT NOT NULL,
    task_id TEXT,
    action TEXT NOT NULL,
    tool_hash BYTEA NOT NULL,
    effect TEXT NOT NULL,
    risk TEXT NOT NULL,
    is_outward BOOLEAN NOT NULL,
    is_irreversible BOOLEAN NOT NULL,
    status TEXT NOT NULL,
    claim_token TEXT,
    version INTEGER NOT NULL DEFAULT 1,
    is_proposal BOOLEAN NOT NULL DEFAULT false,
    sealed_arguments BYTEA,
    sealed_note BYTEA,
    sealed_result BYTEA,
    nonce BYTEA NOT NULL,
    digest BYTEA,
    approval_id TEXT,
    denied_check TEXT,
    denied_code TEXT,
    blocked_check TEXT,
    blocked_code TEXT,
    error_code TEXT,
    price_micros BIGINT,
    price_currency TEXT,
    idempotency_key TEXT,
    idempotency_hash BYTEA,
    credential_id TEXT,
    credential_version INTEGER,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    runs_at TIMESTAMPTZ(3),
    claimed_at TIMESTAMPTZ(3),
    lease_until TIMESTAMPTZ(3),
    finished_at TIMESTAMPTZ(3),

    CONSTRAINT tool_request_pkey PRIMARY KEY (org_id,id)
);

CREATE TABLE approval (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    reasons JSONB NOT NULL,
    required_role TEXT NOT NULL,
    required_people INTEGER NOT NULL,
    rule_version INTEGER NOT NULL,
    lifetime_seconds INTEGER NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    is_held BOOLEAN NOT NULL DEFAULT false,
    reminded_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    decided_at TIMESTAMPTZ(3),

    CONSTRAINT approval_pkey PRIMARY KEY (org_id,id)
);

CREATE TABLE decision (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    decision TEXT NOT NULL,
    sealed_reason BYTEA,
    mac BYTEA NOT NULL,
    via TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    decided_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT decision_pkey PRIMARY KEY (org_id,id)
);

CREATE TABLE budget (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    period TEXT NOT NULL,
    currency TEXT NOT NULL,
    cap_micros BIGINT NOT NULL,
    spent_micros BIGINT NOT NULL DEFAULT 0,
    reserved_micros BIGINT NOT NULL DEFAULT 0,
    period_start TIMESTAMPTZ(3) NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    created_by TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT budget_pkey PRIMARY KEY (id)
);

CREATE TABLE reservation (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    budget_id TEXT NOT NULL,
    amount_micros BIGINT NOT NULL,
    status TEXT NOT NULL DEFAULT 'held',
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    settled_at TIMESTAMPTZ(3),

    CONSTRAINT reservation_pkey PRIMARY KEY (org_id,id)
);

CREATE TABLE seen_target (
    org_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    target TEXT NOT NULL,
    first_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT seen_target_pkey PRIMARY KEY (org_id,agent_id,connection_id,target)
);

CREATE UNLOGGED TABLE rate_bucket (
    org_id TEXT NOT NULL,
    bucket TEXT NOT NULL,
    tokens DOUBLE PRECISION NOT NULL,
    updated_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT rate_bucket_pkey PRIMARY KEY (org_id,bucket)
);

CREATE TABLE refusal_count (
    org_id TEXT NOT NULL,
    minute TIMESTAMPTZ(3) NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    count INTEGER NOT NULL,
    recorded_at TIMESTAMPTZ(3),

    CONSTRAINT refusal_count_pkey PRIMARY KEY (org_id,minute,kind,subject)
);

CREATE TABLE audit_event (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    type TEXT NOT NULL,
    request_id TEXT,
    actor_id TEXT,
    canonical BYTEA NOT NULL,
    leaf BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT audit_event_pkey PRIMARY KEY (org_id,id)
);

CREATE TABLE audit_seal (
    org_id TEXT NOT NULL,
    idx BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    previous BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    sealed_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT audit_seal_pkey PRIMARY KEY (org_id,idx)
);

CREATE TABLE audit_checkpoint (
    org_id TEXT NOT NULL,
    size BIGINT NOT NULL,
    head BYTEA NOT NULL,
    mac BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT audit_checkpoint_pkey PRIMARY KEY (org_id,size)
);

CREATE TABLE audit_personal (
    org_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    field TEXT NOT NULL,
    salt BYTEA NOT NULL,
    value TEXT NOT NULL,

    CONSTRAINT audit_personal_pkey PRIMARY KEY (org_id,event_id,field)
);

CREATE UNIQUE INDEX department_org_id_id_key ON department(org_id, id);

CREATE UNIQUE INDEX department_org_id_name_key ON department(org_id, name);

CREATE INDEX member_email_idx ON member(email);

CREATE UNIQUE INDEX member_org_id_id_key ON member(org_id, id);

CREATE UNIQUE INDEX member_org_id_email_key ON member(org_id, email);

CREATE INDEX sign_in_org_id_member_id_idx ON sign_in(org_id, member_id);

CREATE UNIQUE INDEX sign_in_org_id_id_key ON sign_in(org_id, id);

CREATE UNIQUE INDEX setup_link_org_id_id_key ON setup_link(org_id, id);

CREATE INDEX personal_token_org_id_member_id_idx ON personal_token(org_id, member_id);

CREATE UNIQUE INDEX personal_token_org_id_id_key ON personal_token(org_id, id);

CREATE UNIQUE INDEX agent_org_id_id_key ON agent(org_id, id);

CREATE UNIQUE INDEX agent_org_id_name_key ON agent(org_id, name);

CREATE INDEX agent_key_org_id_agent_id_idx ON agent_key(org_id, agent_id);

CREATE UNIQUE INDEX agent_key_org_id_id_key ON agent_key(org_id, id);

CREATE UNIQUE INDEX connection_org_id_id_key ON connection(org_id, id);

CREATE UNIQUE INDEX connection_org_id_name_key ON connection(org_id, name);

CREATE UNIQUE INDEX credential_org_id_id_key ON credential(org_id, id);

CREATE UNIQUE INDEX credential_org_id_connection_id_version_key ON credential(org_id, connection_id, version);

CREATE UNIQUE INDEX trusted_destination_org_id_id_key ON trusted_destination(org_id, id);

CREATE UNIQUE INDEX trusted_destination_org_id_kind_value_key ON trusted_destination(org_id, kind, value);

CREATE INDEX agent_grant_org_id_agent_id_connection_id_idx ON agent_grant(org_id, agent_id, connection_id);

CREATE UNIQUE INDEX agent_grant_org_id_id_key ON agent_grant(org_id, id);

CREATE UNIQUE INDEX rule_org_id_id_key ON rule(org_id, id);

CREATE UNIQUE INDEX rule_org_id_name_key ON rule(org_id, name);

CREATE UNIQUE INDEX session_org_id_id_key ON session(org_id, id);

CREATE UNIQUE INDEX session_org_id_agent_id_reference_key ON session(org_id, agent_id, reference);

CREATE INDEX task_org_id_agent_id_idx ON task(org_id, agent_id);

CREATE UNIQUE INDEX task_org_id_id_key ON task(org_id, id);

CREATE INDEX tool_request_org_id_agent_id_id_idx ON tool_request(org_id, agent_id, id DESC);

CREATE UNIQUE INDEX tool_request_org_id_agent_id_idempotency_key_key ON tool_request(org_id, agent_id, idempotency_key);

CREATE INDEX approval_org_id_status_created_at_idx ON approval(org_id, status, created_at);

CREATE INDEX approval_org_id_request_id_idx ON approval(org_id, request_id);

CREATE UNIQUE INDEX decision_org_id_approval_id_member_id_key ON decision(org_id, approval_id, member_id);

CREATE UNIQUE INDEX budget_org_id_id_key ON budget(org_id, id);

CREATE UNIQUE INDEX budget_org_id_scope_scope_id_period_currency_key ON budget(org_id, scope, scope_id, period, currency);

CREATE INDEX reservation_org_id_request_id_idx ON reservation(org_id, request_id);

CREATE INDEX audit_event_org_id_request_id_idx ON audit_event(org_id, request_id);

CREATE UNIQUE INDEX audit_seal_org_id_event_id_key ON audit_seal(org_id, event_id);

ALTER TABLE data_key ADD CONSTRAINT data_key_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE department ADD CONSTRAINT department_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE member ADD CONSTRAINT member_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE sign_in ADD CONSTRAINT sign_in_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE setup_link ADD CONSTRAINT setup_link_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE setup_link ADD CONSTRAINT setup_link_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE personal_token ADD CONSTRAINT personal_token_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent ADD CONSTRAINT agent_org_id_department_id_fkey FOREIGN KEY (org_id, department_id) REFERENCES department(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent ADD CONSTRAINT agent_org_id_owner_id_fkey FOREIGN KEY (org_id, owner_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent ADD CONSTRAINT agent_org_id_paused_by_fkey FOREIGN KEY (org_id, paused_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent_key ADD CONSTRAINT agent_key_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agent(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent_key ADD CONSTRAINT agent_key_org_id_issued_by_fkey FOREIGN KEY (org_id, issued_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE connection ADD CONSTRAINT connection_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE credential ADD CONSTRAINT credential_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES connection(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE credential ADD CONSTRAINT credential_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE trusted_destination ADD CONSTRAINT trusted_destination_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent_grant ADD CONSTRAINT agent_grant_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agent(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent_grant ADD CONSTRAINT agent_grant_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES connection(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE agent_grant ADD CONSTRAINT agent_grant_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE grant_usage ADD CONSTRAINT grant_usage_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES agent_grant(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE rule ADD CONSTRAINT rule_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE rule_set ADD CONSTRAINT rule_set_org_id_changed_by_fkey FOREIGN KEY (org_id, changed_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE control_state ADD CONSTRAINT control_state_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE control_state ADD CONSTRAINT control_state_org_id_kill_by_fkey FOREIGN KEY (org_id, kill_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE session ADD CONSTRAINT session_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agent(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE task ADD CONSTRAINT task_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agent(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE task ADD CONSTRAINT task_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES session(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE task ADD CONSTRAINT task_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agent(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_agent_key_id_fkey FOREIGN KEY (org_id, agent_key_id) REFERENCES agent_key(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_acting_for_id_fkey FOREIGN KEY (org_id, acting_for_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES connection(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES agent_grant(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_session_id_fkey FOREIGN KEY (org_id, session_id) REFERENCES session(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES task(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_approval_id_fkey FOREIGN KEY (org_id, approval_id) REFERENCES approval(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_credential_id_fkey FOREIGN KEY (org_id, credential_id) REFERENCES credential(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE approval ADD CONSTRAINT approval_org_id_request_id_fkey FOREIGN KEY (org_id, request_id) REFERENCES tool_request(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE decision ADD CONSTRAINT decision_org_id_approval_id_fkey FOREIGN KEY (org_id, approval_id) REFERENCES approval(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE decision ADD CONSTRAINT decision_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE budget ADD CONSTRAINT budget_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE budget ADD CONSTRAINT budget_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE reservation ADD CONSTRAINT reservation_org_id_request_id_fkey FOREIGN KEY (org_id, request_id) REFERENCES tool_request(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE reservation ADD CONSTRAINT reservation_org_id_budget_id_fkey FOREIGN KEY (org_id, budget_id) REFERENCES budget(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE seen_target ADD CONSTRAINT seen_target_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agent(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE seen_target ADD CONSTRAINT seen_target_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES connection(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE rate_bucket ADD CONSTRAINT rate_bucket_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE refusal_count ADD CONSTRAINT refusal_count_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE audit_seal ADD CONSTRAINT audit_seal_org_id_event_id_fkey FOREIGN KEY (org_id, event_id) REFERENCES audit_event(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE audit_personal ADD CONSTRAINT audit_personal_org_id_event_id_fkey FOREIGN KEY (org_id, event_id) REFERENCES audit_event(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Words that columns may hold. The application's schemas say the same; these hold when it is wrong.
ALTER TABLE member ADD CONSTRAINT member_role_check CHECK (role IN ('owner', 'admin', 'approver', 'member', 'auditor'));
ALTER TABLE agent ADD CONSTRAINT agent_autonomy_check CHECK (autonomy IN ('suggest', 'approve_each', 'supervised', 'autonomous'));
ALTER TABLE connection ADD CONSTRAINT connection_status_check CHECK (status IN ('active', 'suspended', 'needs_reauth'));
ALTER TABLE credential ADD CONSTRAINT credential_status_check CHECK (status IN ('active', 'retired', 'destroyed'));
ALTER TABLE agent_grant ADD CONSTRAINT agent_grant_access_check CHECK (access IN ('read', 'write'));
ALTER TABLE agent_grant ADD CONSTRAINT agent_grant_write_expires_check CHECK (access = 'read' OR expires_at IS NOT NULL);
ALTER TABLE agent_grant ADD CONSTRAINT agent_grant_risk_check CHECK (max_risk IN ('low', 'medium', 'high'));
ALTER TABLE trusted_destination ADD CONSTRAINT trusted_destination_kind_check CHECK (kind IN ('host', 'email_domain', 'email_address'));
ALTER TABLE rule ADD CONSTRAINT rule_verdict_check CHECK (verdict IN ('deny', 'approval'));
ALTER TABLE rule ADD CONSTRAINT rule_people_check CHECK (people IN (1, 2));
ALTER TABLE rule ADD CONSTRAINT rule_role_check CHECK (required_role IN ('approver', 'admin', 'owner'));
ALTER TABLE control_state ADD CONSTRAINT control_state_level_check CHECK (kill_level IN ('freeze', 'lockdown'));
ALTER TABLE deployment_control ADD CONSTRAINT deployment_control_level_check CHECK (level IN ('freeze', 'lockdown'));
ALTER TABLE tool_request ADD CONSTRAINT tool_request_status_check CHECK (status IN
  ('denied', 'pending', 'ready', 'scheduled', 'executing', 'succeeded', 'failed', 'outcome_unknown', 'rejected', 'expired', 'withdrawn', 'cancelled'));
ALTER TABLE tool_request ADD CONSTRAINT tool_request_claim_check CHECK
  (status NOT IN ('executing', 'succeeded', 'failed', 'outcome_unknown') OR (claimed_at IS NOT NULL AND claim_token IS NOT NULL));
ALTER TABLE tool_request ADD CONSTRAINT tool_request_effect_check CHECK (effect IN ('read', 'write'));
ALTER TABLE tool_request ADD CONSTRAINT tool_request_risk_check CHECK (risk IN ('low', 'medium', 'high'));
ALTER TABLE approval ADD CONSTRAINT approval_status_check CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'voided', 'withdrawn'));
ALTER TABLE approval ADD CONSTRAINT approval_role_check CHECK (required_role IN ('approver', 'admin', 'owner'));
ALTER TABLE approval ADD CONSTRAINT approval_people_check CHECK (required_people IN (1, 2));
ALTER TABLE decision ADD CONSTRAINT decision_decision_check CHECK (decision IN ('approve', 'reject'));
ALTER TABLE budget ADD CONSTRAINT budget_scope_check CHECK (scope IN ('request', 'agent', 'department', 'organization'));
ALTER TABLE budget ADD CONSTRAINT budget_period_check CHECK (period IN ('request', 'day', 'month'));
ALTER TABLE budget ADD CONSTRAINT budget_amounts_check CHECK (cap_micros >= 0 AND spent_micros >= 0 AND reserved_micros >= 0);
ALTER TABLE reservation ADD CONSTRAINT reservation_status_check CHECK (status IN ('held', 'spent', 'released'));

-- One approval at a time is asked for; one credential at a time is in use.
CREATE UNIQUE INDEX approval_one_pending ON approval (org_id, request_id) WHERE status = 'pending';
CREATE UNIQUE INDEX credential_one_active ON credential (org_id, connection_id) WHERE status = 'active';
-- What the checks count and what the timers look for.
CREATE INDEX tool_request_pending ON tool_request (org_id, agent_id) WHERE status = 'pending';
CREATE INDEX tool_request_due ON tool_request (runs_at) WHERE status IN ('ready', 'scheduled');
CREATE INDEX tool_request_leased ON tool_request (lease_until) WHERE status = 'executing';
CREATE INDEX approval_due ON approval (expires_at) WHERE status = 'pending';
CREATE INDEX refusal_count_open ON refusal_count (minute) WHERE recorded_at IS NULL;
