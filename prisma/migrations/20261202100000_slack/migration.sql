-- Slack: workspaces that an organization connected, who is who in them, cards that were posted, and calls that were taken.
-- New tables. Their references take a lock on organization, member and approval that holds writers back for a moment.

-- A workspace belongs to one organization. The bot's token is sealed for this row and version.
CREATE TABLE slack_workspace (
    org_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    bot_id TEXT NOT NULL,
    bot_user_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    is_open_channel BOOLEAN NOT NULL,
    sealed_token BYTEA,
    version INTEGER NOT NULL DEFAULT 1,
    connected_by TEXT NOT NULL,
    connected_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    removed_at TIMESTAMPTZ(3),

    CONSTRAINT slack_workspace_pkey PRIMARY KEY (org_id,team_id)
);
CREATE UNIQUE INDEX slack_workspace_team_id_key ON slack_workspace(team_id);
ALTER TABLE slack_workspace ADD CONSTRAINT slack_workspace_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE slack_workspace ADD CONSTRAINT slack_workspace_org_id_connected_by_fkey FOREIGN KEY (org_id, connected_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Who a person of a workspace is here: one of each for one of the other.
CREATE TABLE slack_link (
    org_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    linked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT slack_link_pkey PRIMARY KEY (org_id,team_id,user_id)
);
CREATE UNIQUE INDEX slack_link_org_id_team_id_member_id_key ON slack_link(org_id, team_id, member_id);
ALTER TABLE slack_link ADD CONSTRAINT slack_link_org_id_team_id_fkey FOREIGN KEY (org_id, team_id) REFERENCES slack_workspace(org_id, team_id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE slack_link ADD CONSTRAINT slack_link_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What a signed-in person types in Slack to prove who they are. Good once, for ten minutes.
CREATE TABLE slack_link_code (
    org_id TEXT NOT NULL,
    secret_hash BYTEA NOT NULL,
    member_id TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    used_at TIMESTAMPTZ(3),

    CONSTRAINT slack_link_code_pkey PRIMARY KEY (org_id,secret_hash)
);
ALTER TABLE slack_link_code ADD CONSTRAINT slack_link_code_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

-- At most one card for an approval and a channel. `lease_until`: somebody is talking to Slack about it.
-- `is_unsure`: a message may have been posted that this row does not know of.
CREATE TABLE slack_card (
    org_id TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    ts TEXT,
    status TEXT NOT NULL DEFAULT 'new',
    is_unsure BOOLEAN NOT NULL DEFAULT false,
    lease_until TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT slack_card_pkey PRIMARY KEY (org_id,approval_id,team_id,channel_id)
);
CREATE INDEX slack_card_status_updated_at_idx ON slack_card(status, updated_at);
ALTER TABLE slack_card ADD CONSTRAINT slack_card_org_id_approval_id_fkey FOREIGN KEY (org_id, approval_id) REFERENCES approval(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE slack_card ADD CONSTRAINT slack_card_org_id_team_id_fkey FOREIGN KEY (org_id, team_id) REFERENCES slack_workspace(org_id, team_id) ON DELETE RESTRICT ON UPDATE RESTRICT;

-- A signed call is taken once, whichever replica it comes to. Older than Slack's signatures are good for, a row says nothing.
CREATE TABLE slack_call (
    org_id TEXT NOT NULL,
    signature_hash BYTEA NOT NULL,
    received_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT slack_call_pkey PRIMARY KEY (org_id,signature_hash)
);
CREATE INDEX slack_call_received_at_idx ON slack_call(received_at);
ALTER TABLE slack_call ADD CONSTRAINT slack_call_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['slack_workspace', 'slack_link', 'slack_link_code', 'slack_card', 'slack_call']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()))', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE ON slack_workspace, slack_link_code, slack_card TO countersign_app;
-- A link and a taken call stand for a present state.
GRANT SELECT, INSERT, DELETE ON slack_link, slack_call TO countersign_app;

-- The system role finds the organization of a workspace, and cards that are behind their approval.
GRANT SELECT (org_id, team_id, removed_at) ON slack_workspace TO countersign_system;
GRANT SELECT (org_id, approval_id, team_id, status, lease_until, updated_at) ON slack_card TO countersign_system;
CREATE POLICY across ON slack_workspace FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON slack_card FOR SELECT TO countersign_system USING (true);
