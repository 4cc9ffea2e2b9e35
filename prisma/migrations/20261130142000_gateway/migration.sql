-- The gateway's hot path: few round trips, each function one transaction that sets its organization itself.
-- All run with the caller's rights (SECURITY INVOKER), so row-level security confines each of them.
-- On an existing database: creates functions and a trigger; the trigger takes a brief lock on agent_grant.

-- A grant's counters exist from its first moment, so that the claim is a plain conditional update.
CREATE FUNCTION app.add_usage_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO grant_usage (org_id, grant_id, minute_start, hour_start, day_start) VALUES (NEW.org_id, NEW.id, 'epoch', 'epoch', 'epoch');
  RETURN NULL;
END $$;
CREATE TRIGGER usage_row AFTER INSERT ON agent_grant FOR EACH ROW EXECUTE FUNCTION app.add_usage_row();

-- Takes one token of the credential's bucket. Returns 0, or the seconds until there is one.
CREATE FUNCTION app.take_token(p_bucket text, p_per_minute int, p_burst int) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
  v_tokens double precision;
BEGIN
  INSERT INTO rate_bucket (org_id, bucket, tokens, updated_at) VALUES (app.org_id(), p_bucket, p_burst, clock_timestamp())
  ON CONFLICT DO NOTHING;
  SELECT b.tokens, clock_timestamp() INTO v_tokens, v_now FROM rate_bucket b
    WHERE b.org_id = app.org_id() AND b.bucket = p_bucket FOR UPDATE;
  UPDATE rate_bucket b SET
    tokens = CASE WHEN r.refilled >= 1 THEN r.refilled - 1 ELSE r.refilled END,
    updated_at = GREATEST(v_now, b.updated_at)
  FROM (SELECT LEAST(p_burst, c.tokens + GREATEST(0, extract(epoch FROM v_now - c.updated_at)) * p_per_minute / 60.0) AS refilled
        FROM rate_bucket c WHERE c.org_id = app.org_id() AND c.bucket = p_bucket) r
  WHERE b.org_id = app.org_id() AND b.bucket = p_bucket
  RETURNING r.refilled INTO v_tokens;
  RETURN CASE WHEN v_tokens >= 1 THEN 0 ELSE (1 - v_tokens) * 60.0 / p_per_minute END;
END $$;

-- Counts a call that was turned away; the sweep writes one audit entry a minute from these.
CREATE FUNCTION app.count_refusal(p_kind text, p_subject text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO refusal_count AS r (org_id, minute, kind, subject, count)
  SELECT o.id, date_trunc('minute', clock_timestamp()), p_kind, left(p_subject, 64), 1 FROM organization o
  ON CONFLICT (org_id, minute, kind, subject) DO UPDATE SET count = r.count + 1
$$;

-- Who presents this agent key, and whether the rate limit lets the call through.
-- NULL: no such key. {limited, retryAfter}: turned away. Otherwise the agent.
CREATE FUNCTION app.admit_agent(p_org text, p_key text, p_hash bytea) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v record;
  v_wait double precision;
BEGIN
  PERFORM set_config('app.org_id', p_org, true), set_config('synchronous_commit', 'off', true);
  SELECT k.agent_id, k.issued_by, k.last_used_at, a.owner_id, a.name, o.requests_per_minute, o.request_burst INTO v
  FROM agent_key k JOIN agent a ON a.id = k.agent_id CROSS JOIN organization o
  WHERE k.id = p_key AND k.secret_hash = p_hash AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp();
  IF NOT FOUND THEN
    PERFORM app.count_refusal('unauthenticated', 'agent_key');
    RETURN NULL;
  END IF;
  v_wait := app.take_token(p_key, v.requests_per_minute, v.request_burst);
  IF v_wait > 0 THEN
    PERFORM app.count_refusal('rate_limited', p_key);
    RETURN jsonb_build_object('limited', true, 'retryAfter', ceil(v_wait));
  END IF;
  IF v.last_used_at IS NULL OR v.last_used_at < clock_timestamp() - interval '1 minute' THEN
    UPDATE agent_key SET last_used_at = clock_timestamp() WHERE id = p_key;
  END IF;
  RETURN jsonb_build_object('limited', false, 'agentId', v.agent_id, 'issuedBy', v.issued_by, 'ownerId', v.owner_id, 'name', v.name);
END $$;

-- The strictest kill switch that any replica's environment holds at this moment.
CREATE FUNCTION app.deployment_level() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT max(level) FROM deployment_control WHERE leased_until > clock_timestamp()
$$;

-- Everything the checks read, as one document. Creates the session if it is new. No content leaves by this.
CREATE FUNCTION app.load_facts(
  p_org text, p_agent text, p_key text, p_connection text, p_reference text, p_new_session text,
  p_targets text[], p_idempotency_key text, p_known_policy bigint
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_session jsonb;
  v_policy bigint;
BEGIN
  PERFORM set_config('app.org_id', p_org, true), set_config('synchronous_commit', 'off', true);
  SELECT jsonb_build_object('id', s.id, 'labels', s.labels, 'origin', s.origin) INTO v_session
  FROM session s WHERE s.agent_id = p_agent AND s.reference = p_reference;
  IF v_session IS NULL THEN
    INSERT INTO session (id, org_id, agent_id, reference, origin, labels)
    VALUES (p_new_session, p_org, p_agent, p_reference, 'external', ARRAY['unverified']) ON CONFLICT DO NOTHING;
    SELECT jsonb_build_object('id', s.id, 'labels', s.labels, 'origin', s.origin) INTO v_session
    FROM session s WHERE s.agent_id = p_agent AND s.reference = p_reference;
  END IF;
  SELECT policy_version INTO v_policy FROM organization;
  RETURN jsonb_build_object(
    'now', v_now,
    'policyVersion', v_policy,
    'deploymentLevel', app.deployment_level(),
    'session', v_session,
    'pending', (SELECT count(*) FROM tool_request r WHERE r.org_id = p_org AND r.agent_id = p_agent AND r.status = 'pending'),
    'seenTargets', COALESCE((SELECT jsonb_agg(t.target) FROM seen_target t
      WHERE t.org_id = p_org AND t.agent_id = p_agent AND t.connection_id = p_connection AND t.target = ANY (p_targets)), '[]'),
    'existing', CASE WHEN p_idempotency_key IS NULL THEN NULL ELSE (SELECT jsonb_build_object('id', r.id, 'hash', encode(r.idempotency_hash, 'hex'))
      FROM tool_request r WHERE r.org_id = p_org AND r.agent_id = p_agent AND r.idempotency_key = p_idempotency_key) END,
    'usage', COALESCE((SELECT jsonb_object_agg(u.grant_id, jsonb_build_object(
        'minute', CASE WHEN u.minute_start >= date_trunc('minute', v_now, 'UTC') THEN u.minute_count ELSE 0 END,
        'hour', CASE WHEN u.hour_start >= date_trunc('hour', v_now, 'UTC') THEN u.hour_count ELSE 0 END,
        'day', CASE WHEN u.day_start >= date_trunc('day', v_now, 'UTC') THEN u.day_count ELSE 0 END))
      FROM grant_usage u JOIN agent_grant g ON g.id = u.grant_id
      WHERE g.org_id = p_org AND g.agent_id = p_agent AND g.connection_id = p_connection AND g.revoked_at IS NULL), '{}'),
    'budgets', COALESCE((SELECT jsonb_agg(jsonb_build_object('id', b.id, 'scope', b.scope, 'period', b.period, 'currency', b.currency,
        'capMicros', b.cap_micros::text, 'reservedMicros', b.reserved_micros::text,
        'spentMicros', CASE WHEN b.period_start >= app.period_start(b.period, v_now) THEN b.spent_micros ELSE 0 END::text) ORDER BY b.id)
      FROM budget b, agent a WHERE a.id = p_agent
        AND ((b.scope IN ('organization', 'request') AND b.scope_id = p_org) OR (b.scope = 'agent' AND b.scope_id = a.id)
          OR (b.scope = 'department' AND b.scope_id = a.department_id))), '[]'),
    'policy', CASE WHEN v_policy = p_known_policy THEN NULL ELSE app.load_policy(p_org, p_agent, p_key, p_connection) END
  );
END $$;

-- The part of the facts that only a change of configuration changes: good for one agent, key, connection and policy version.
CREATE FUNCTION app.load_policy(p_org text, p_agent text, p_key text, p_connection text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'organization', (SELECT jsonb_build_object('ruleVersion', o.rule_version, 'undoSeconds', o.undo_seconds) FROM organization o),
    'controls', (SELECT jsonb_build_object('version', c.version, 'killLevel', c.kill_level, 'readOnly', c.read_only, 'actionsOff', c.actions_off)
      FROM control_state c),
    'agent', (SELECT jsonb_build_object('id', a.id, 'name', a.name, 'ownerId', a.owner_id, 'autonomy', a.autonomy, 'isPaused', a.paused_at IS NOT NULL,
        'readOnly', a.read_only, 'pendingLimit', a.pending_limit, 'departmentId', a.department_id, 'department', d.name)
      FROM agent a LEFT JOIN department d ON d.id = a.department_id WHERE a.id = p_agent),
    'key', (SELECT jsonb_build_object('id', k.id, 'issuedBy', k.issued_by, 'isValid', k.revoked_at IS NULL, 'expiresAt', k.expires_at)
      FROM agent_key k WHERE k.id = p_key),
    'connection', (SELECT jsonb_build_object('id', c.id, 'name', c.name, 'provider', c.provider, 'account', c.account, 'status', c.status,
        'config', c.config, 'configVersion', c.config_version, 'capabilities', c.capabilities, 'sensitive', c.sensitive)
      FROM connection c WHERE c.id = p_connection),
    'credential', (SELECT jsonb_build_object('id', r.id, 'version', r.version, 'kind', r.kind)
      FROM credential r WHERE r.connection_id = p_connection AND r.status = 'active'),
    'grants', COALESCE((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'version', g.version, 'access', g.access, 'actions', g.actions,
        'maxRisk', g.max_risk, 'allow', g.allow, 'perMinute', g.per_minute, 'perHour', g.per_hour, 'perDay', g.per_day,
        'expiresAt', g.expires_at) ORDER BY g.id)
      FROM agent_grant g WHERE g.agent_id = p_agent AND g.connection_id = p_connection AND g.revoked_at IS NULL), '[]'),
    'rules', COALESCE((SELECT s.rules FROM rule_set s JOIN organization o ON s.version = o.rule_version), '[]'),
    'trusted', COALESCE((SELECT jsonb_agg(jsonb_build_object('kind', t.kind, 'value', t.value)) FROM trusted_destination t), '[]')
  )
$$;

-- When the budget period that holds a moment began, in UTC. A per-request cap has no period.
CREATE FUNCTION app.period_start(p_period text, p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_period
    WHEN 'day' THEN date_trunc('day', p_at, 'UTC')
    WHEN 'month' THEN date_trunc('month', p_at, 'UTC')
    ELSE 'epoch'::timestamptz END
$$;

-- Appends audit events that the caller has made canonical: [{id, type, requestId, actorId, canonical, leaf, personal: [{field, salt, value}]}].
CREATE FUNCTION app.write_audit(p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_event (id, org_id, type, request_id, actor_id, canonical, leaf)
  SELECT e.id, app.org_id(), e.type, e."requestId", e."actorId", decode(e.canonical, 'base64'), decode(e.leaf, 'base64')
  FROM jsonb_to_recordset(p_events) AS e(id text, type text, "requestId" text, "actorId" text, canonical text, leaf text);
  INSERT INTO audit_personal (org_id, event_id, field, salt, value)
  SELECT app.org_id(), e->>'id', f.field, decode(f.salt, 'base64'), f.value
  FROM jsonb_array_elements(p_events) e, jsonb_to_recordset(e->'personal') AS f(field text, salt text, value text)
  WHERE jsonb_typeof(e->'personal') = 'array';
END $$;

-- Tells listening replicas that something of an organization changed: opaque ids only.
CREATE FUNCTION app.tell(p_kind text, p_id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('countersign', json_build_object('o', app.org_id(), 'k', p_kind, 'i', p_id)::text)
$$;

-- One use of a grant, counted if its limits allow it. Windows never go back, however long a caller waited for the row.
CREATE FUNCTION app.count_use(p_grant text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t timestamptz := clock_timestamp();
  v record;
BEGIN
  UPDATE grant_usage u SET
    minute_count = CASE WHEN u.minute_start >= w.m THEN u.minute_count + 1 ELSE 1 END, minute_start = GREATEST(u.minute_start, w.m),
    hour_count = CASE WHEN u.hour_start >= w.h THEN u.hour_count + 1 ELSE 1 END, hour_start = GREATEST(u.hour_start, w.h),
    day_count = CASE WHEN u.day_start >= w.d THEN u.day_count + 1 ELSE 1 END, day_start = GREATEST(u.day_start, w.d)
  FROM (SELECT g.*, date_trunc('minute', t, 'UTC') AS m, date_trunc('hour', t, 'UTC') AS h, date_trunc('day', t, 'UTC') AS d FROM agent_grant g WHERE g.id = p_grant) w
  WHERE u.grant_id = p_grant
    AND (w.per_minute IS NULL OR u.minute_start < w.m OR u.minute_count < w.per_minute)
    AND (w.per_hour IS NULL OR u.hour_start < w.h OR u.hour_count < w.per_hour)
    AND (w.per_day IS NULL OR u.day_start < w.d OR u.day_count < w.per_day);
  IF FOUND THEN RETURN; END IF;
  SELECT u.*, g.per_minute, g.per_hour, g.per_day INTO v FROM grant_usage u JOIN agent_grant g ON g.id = u.grant_id WHERE u.grant_id = p_grant;
  IF NOT FOUND THEN RAISE EXCEPTION 'stale' USING ERRCODE = 'CS001'; END IF;
  RAISE EXCEPTION 'usage_limit' USING ERRCODE = 'CS002', DETAIL = ceil(extract(epoch FROM
    CASE WHEN v.day_count >= v.per_day THEN v.day_start + interval '1 day'
         WHEN v.hour_count >= v.per_hour THEN v.hour_start + interval '1 hour'
         ELSE v.minute_start + interval '1 minute' END - clock_timestamp()))::text;
END $$;

-- Holds money of every budget that applies, in the order of their ids: [{id, budgetId, micros}].
CREATE FUNCTION app.hold_budgets(p_request text, p_holds jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t timestamptz := clock_timestamp();
  h record;
BEGIN
  FOR h IN SELECT x.id, x."budgetId" AS budget_id, x.micros FROM jsonb_to_recordset(p_holds) AS x(id text, "budgetId" text, micros bigint) ORDER BY x."budgetId"
  LOOP
    UPDATE budget b SET
      spent_micros = CASE WHEN b.period_start >= app.period_start(b.period, t) THEN b.spent_micros ELSE 0 END,
      period_start = GREATEST(b.period_start, app.period_start(b.period, t)),
      reserved_micros = CASE WHEN b.scope = 'request' THEN 0 ELSE b.reserved_micros + h.micros END
    WHERE b.id = h.budget_id AND h.micros + CASE WHEN b.scope = 'request' THEN 0 ELSE b.reserved_micros
      + CASE WHEN b.period_start >= app.period_start(b.period, t) THEN b.spent_micros ELSE 0 END END <= b.cap_micros;
    IF NOT FOUND THEN RAISE EXCEPTION 'budget_spent' USING ERRCODE = 'CS003', DETAIL = h.budget_id; END IF;
    INSERT INTO reservation (id, org_id, request_id, budget_id, amount_micros) VALUES (h.id, app.org_id(), p_request, h.budget_id, h.micros);
  END LOOP;
END $$;

-- The claim: the only way to `executing`. One short transaction under the organization's shared control lock: what was decided
-- must still be what holds (policy version, deployment switch, session labels, the row itself), then limits and money are taken,
-- the row moves, and "started" is written. Raises CS001 (stale: decide again), CS002 (usage limit), CS003 (budget), CS004 (row taken).
-- Commits without waiting for the disk so that the counter rows are free at once: the caller must flush before the effect.
-- Returns the sealed credential in use.
CREATE FUNCTION app.claim(p_org text, p jsonb) RETURNS TABLE (credential_id text, credential_version int, credential_kind text, sealed bytea)
LANGUAGE plpgsql AS $$
DECLARE
  v_request text := p->>'requestId';
BEGIN
  PERFORM set_config('app.org_id', p_org, true), set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('controls:' || p_org, 0));
  PERFORM 1 FROM organization o WHERE o.policy_version = (p->>'policyVersion')::bigint
    AND app.deployment_level() IS NOT DISTINCT FROM (p->>'deploymentLevel');
  IF NOT FOUND THEN RAISE EXCEPTION 'stale' USING ERRCODE = 'CS001'; END IF;
  PERFORM 1 FROM session s WHERE s.id = p->>'sessionId' AND s.labels = ARRAY(SELECT jsonb_array_elements_text(p->'labels'));
  IF NOT FOUND THEN RAISE EXCEPTION 'stale' USING ERRCODE = 'CS001'; END IF;
  IF p->'insert' IS NOT NULL THEN
    INSERT INTO tool_request SELECT r.* FROM jsonb_populate_record(NULL::tool_request, p->'insert' || jsonb_build_object(
      'org_id', p_org, 'status', 'executing', 'version', 1, 'created_at', clock_timestamp(), 'updated_at', clock_timestamp(),
      'claimed_at', clock_timestamp(), 'claim_token', p->>'token', 'lease_until', clock_timestamp() + (p->>'leaseSeconds')::int * interval '1 second')) r;
  ELSE
    UPDATE tool_request r SET status = 'executing', version = r.version + 1, updated_at = clock_timestamp(), claimed_at = clock_timestamp(),
      claim_token = p->>'token', lease_until = clock_timestamp() + (p->>'leaseSeconds')::int * interval '1 second',
      credential_id = p->>'credentialId', credential_version = (p->>'credentialVersion')::int, blocked_check = NULL, blocked_code = NULL
    WHERE r.id = v_request AND r.status IN ('ready', 'scheduled') AND r.digest = decode(p->>'digest', 'hex')
      AND r.approval_id IS NOT DISTINCT FROM (p->>'approvalId')
      AND r.runs_at <= clock_timestamp() AND r.runs_at > clock_timestamp() - interval '15 minutes';
    IF NOT FOUND THEN RAISE EXCEPTION 'row_taken' USING ERRCODE = 'CS004'; END IF;
    PERFORM app.tell('request', v_request);
  END IF;
  PERFORM app.count_use(p->>'grantId');
  PERFORM app.hold_budgets(v_request, p->'holds');
  PERFORM app.write_audit(p->'audit');
  RETURN QUERY SELECT c.id, c.version, c.kind, c.sealed FROM credential c WHERE c.id = p->>'credentialId' AND c.status = 'active';
END $$;

-- The end of a claimed run: only the claim named by the token may settle it. Returns the new version, or NULL if it was settled otherwise.
CREATE FUNCTION app.settle(p_org text, p jsonb, p_result bytea) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_version int;
BEGIN
  PERFORM set_config('app.org_id', p_org, true);
  UPDATE tool_request r SET status = p->>'status', error_code = p->>'errorCode', sealed_result = p_result, version = r.version + 1,
    updated_at = clock_timestamp(), finished_at = clock_timestamp(), lease_until = NULL
  WHERE r.id = p->>'requestId' AND r.status = 'executing' AND r.claim_token = p->>'token'
  RETURNING r.version INTO v_version;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM app.settle_holds(p->>'requestId', p->>'status' <> 'failed');
  PERFORM app.write_audit(p->'audit');
  IF p->>'status' = 'succeeded' AND jsonb_array_length(p->'targets') > 0 THEN
    INSERT INTO seen_target (org_id, agent_id, connection_id, target)
    SELECT p_org, p->>'agentId', p->>'connectionId', x FROM jsonb_array_elements_text(p->'targets') x ON CONFLICT DO NOTHING;
  END IF;
  IF jsonb_array_length(p->'labels') > 0 THEN
    UPDATE session s SET labels = s.labels || ARRAY(SELECT x FROM jsonb_array_elements_text(p->'labels') x WHERE x <> ALL (s.labels))
    WHERE s.id = p->>'sessionId';
  END IF;
  IF (p->>'tell')::boolean THEN PERFORM app.tell('request', p->>'requestId'); END IF;
  RETURN v_version;
END $$;

-- Turns what a request holds of its budgets into money spent, or gives it back.
CREATE FUNCTION app.settle_holds(p_request text, p_spent boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  h record;
BEGIN
  FOR h IN SELECT r.id, r.budget_id, r.amount_micros FROM reservation r
    WHERE r.org_id = app.org_id() AND r.request_id = p_request AND r.status = 'held' ORDER BY r.budget_id FOR UPDATE
  LOOP
    UPDATE reservation SET status = CASE WHEN p_spent THEN 'spent' ELSE 'released' END, settled_at = clock_timestamp() WHERE org_id = app.org_id() AND id = h.id;
    UPDATE budget b SET reserved_micros = CASE WHEN b.scope = 'request' THEN 0 ELSE b.reserved_micros - h.amount_micros END,
      spent_micros = b.spent_micros + CASE WHEN p_spent AND b.scope <> 'request' THEN h.amount_micros ELSE 0 END
    WHERE b.id = h.budget_id;
  END LOOP;
END $$;

-- A person found that an effect did not happen: what it was taken to have spent is given back.
CREATE FUNCTION app.give_back(p_request text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  h record;
BEGIN
  FOR h IN SELECT r.id, r.budget_id, r.amount_micros, r.created_at FROM reservation r
    WHERE r.org_id = app.org_id() AND r.request_id = p_request AND r.status = 'spent' ORDER BY r.budget_id FOR UPDATE
  LOOP
    UPDATE reservation SET status = 'released', settled_at = clock_timestamp() WHERE org_id = app.org_id() AND id = h.id;
    UPDATE budget b SET spent_micros = GREATEST(0, b.spent_micros - h.amount_micros)
    WHERE b.id = h.budget_id AND b.scope <> 'request' AND b.period_start = app.period_start(b.period, h.created_at);
  END LOOP;
END $$;

-- A claimed run whose lease has ended said nothing: nobody knows whether the effect happened. Never run again by itself.
CREATE FUNCTION app.reap(p_org text, p_request text, p_audit jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.org_id', p_org, true);
  UPDATE tool_request r SET status = 'outcome_unknown', error_code = 'crashed', version = r.version + 1, updated_at = clock_timestamp(), lease_until = NULL
  WHERE r.id = p_request AND r.status = 'executing' AND r.lease_until <= clock_timestamp();
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM app.settle_holds(p_request, true);
  PERFORM app.write_audit(p_audit);
  PERFORM app.tell('request', p_request);
  RETURN true;
END $$;

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA app TO countersign_app;
GRANT EXECUTE ON FUNCTION app.deployment_level() TO countersign_system;
