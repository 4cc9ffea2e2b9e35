-- Slack by OAuth: what an installation is, what is wrong with it, and the round trips to Slack that a person began.
-- The new columns have no default or a constant one: the table is held for a moment and not rewritten.

-- `team_id` names the installation: a workspace, or a whole Enterprise Grid where the app was installed for all of it.
-- A channel is chosen after the installation. `problem`: why Slack takes nothing from us at the moment.
ALTER TABLE slack_workspace
    ALTER COLUMN channel_id DROP NOT NULL,
    ADD COLUMN enterprise_id TEXT,
    ADD COLUMN app_id TEXT,
    ADD COLUMN problem TEXT,
    ADD COLUMN problem_at TIMESTAMPTZ(3),
    ADD COLUMN last_call_at TIMESTAMPTZ(3);

-- Whoever disconnected a workspace is not in the way of whoever connects it next.
DROP INDEX slack_workspace_team_id_key;
CREATE UNIQUE INDEX slack_workspace_one_connected ON slack_workspace(team_id) WHERE removed_at IS NULL;

-- A round trip to Slack: good once, for ten minutes, and for the sign-in that began it.
CREATE TABLE slack_round_trip (
    org_id TEXT NOT NULL,
    state_hash BYTEA NOT NULL,
    kind TEXT NOT NULL,
    member_id TEXT NOT NULL,
    sign_in_id TEXT NOT NULL,
    nonce_hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    used_at TIMESTAMPTZ(3),

    CONSTRAINT slack_round_trip_pkey PRIMARY KEY (org_id,state_hash),
    CONSTRAINT slack_round_trip_kind_check CHECK (kind IN ('install', 'link'))
);
ALTER TABLE slack_round_trip ADD CONSTRAINT slack_round_trip_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE slack_round_trip ADD CONSTRAINT slack_round_trip_org_id_sign_in_id_fkey FOREIGN KEY (org_id, sign_in_id) REFERENCES sign_in(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE slack_round_trip ENABLE ROW LEVEL SECURITY;
ALTER TABLE slack_round_trip FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON slack_round_trip TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
GRANT SELECT, INSERT, UPDATE ON slack_round_trip TO countersign_app;

-- The system role passes over installations with a problem, and finds them again to see whether it is over.
GRANT SELECT (problem_at) ON slack_workspace TO countersign_system;

-- Codes that are typed in Slack link nobody any more: people link themselves through Slack's own sign-in.
DROP TABLE slack_link_code;
