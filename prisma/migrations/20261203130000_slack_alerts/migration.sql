-- Alerts in Slack: which channel gets them, and what is still to be told. The new columns have no default: the table is
-- held for a moment and not rewritten. The references take a lock on audit_event and slack_workspace for a moment.

-- `alerts_problem`: why that channel takes nothing at the moment; cards go on.
ALTER TABLE slack_workspace ADD COLUMN alerts_channel_id TEXT, ADD COLUMN alerts_problem TEXT;

-- One alert of one event for one installation. `lease_until`: somebody is at it, or not to be tried before.
-- `is_unsure`: a message may be in `channel_id` that this row does not know of.
CREATE TABLE slack_alert (
    org_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    team_id TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'due',
    channel_id TEXT,
    ts TEXT,
    is_unsure BOOLEAN NOT NULL DEFAULT false,
    lease_until TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT slack_alert_pkey PRIMARY KEY (org_id,event_id,team_id),
    CONSTRAINT slack_alert_status_check CHECK (status IN ('due', 'posted', 'dropped'))
);
CREATE INDEX slack_alert_status_created_at_idx ON slack_alert(status, created_at);
ALTER TABLE slack_alert ADD CONSTRAINT slack_alert_org_id_event_id_fkey FOREIGN KEY (org_id, event_id) REFERENCES audit_event(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE slack_alert ADD CONSTRAINT slack_alert_org_id_team_id_fkey FOREIGN KEY (org_id, team_id) REFERENCES slack_workspace(org_id, team_id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE slack_alert ENABLE ROW LEVEL SECURITY;
ALTER TABLE slack_alert FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON slack_alert TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
GRANT SELECT, INSERT, UPDATE ON slack_alert TO countersign_app;

-- The system role finds organizations with something to tell.
GRANT SELECT (org_id, team_id, status, created_at, lease_until) ON slack_alert TO countersign_system;
CREATE POLICY across ON slack_alert FOR SELECT TO countersign_system USING (true);

-- What is told is put down with the event itself: both are kept, or neither. A verification counts only where it found a fault.
CREATE FUNCTION app.queue_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type = 'audit.verified' AND convert_from(NEW.canonical, 'UTF8')::jsonb #>> '{fields,intact}' IS DISTINCT FROM 'false' THEN
    RETURN NULL;
  END IF;
  INSERT INTO slack_alert (org_id, event_id, team_id)
  SELECT w.org_id, NEW.id, w.team_id FROM slack_workspace w
  WHERE w.org_id = NEW.org_id AND w.removed_at IS NULL AND w.alerts_channel_id IS NOT NULL;
  IF FOUND THEN
    PERFORM pg_notify('countersign', json_build_object('o', NEW.org_id, 'k', 'alert', 'i', NEW.id)::text);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_event_alert AFTER INSERT ON audit_event FOR EACH ROW
  WHEN (NEW.type IN ('control.activated', 'control.released', 'control.changed', 'deployment.kill_switch', 'agent.paused',
    'agent.resumed', 'rule.created', 'rule.changed', 'rules.restored', 'slack.problem', 'audit.verified'))
  EXECUTE FUNCTION app.queue_alert();
