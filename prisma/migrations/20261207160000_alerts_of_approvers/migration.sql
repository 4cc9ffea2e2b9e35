-- What weakens approvals is told in the alerts channel too: how approvers decide, who got or lost a right to approve, how
-- much Slack may approve, a workspace that was disconnected. And managers get a mail where that channel takes nothing.
-- `mail_notice` is read once for its constraint; audit_event is held for a moment.

CREATE OR REPLACE FUNCTION app.queue_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type = 'audit.verified' AND convert_from(NEW.canonical, 'UTF8')::jsonb #>> '{fields,intact}' IS DISTINCT FROM 'false' THEN
    RETURN NULL;
  END IF;
  -- Of an organization's settings only what Slack may approve counts.
  IF NEW.type = 'organization.changed' AND (convert_from(NEW.canonical, 'UTF8')::jsonb #> '{fields,changed}' @> '["slackMaxRisk"]') IS DISTINCT FROM true THEN
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
DROP TRIGGER audit_event_alert ON audit_event;
CREATE TRIGGER audit_event_alert AFTER INSERT ON audit_event FOR EACH ROW
  WHEN (NEW.type IN ('control.activated', 'control.released', 'control.changed', 'deployment.kill_switch', 'agent.paused',
    'agent.resumed', 'rule.created', 'rule.changed', 'rules.restored', 'slack.problem', 'audit.verified',
    'approver_safety.changed', 'approval_right.given', 'approval_right.withdrawn', 'organization.changed', 'slack.disconnected'))
  EXECUTE FUNCTION app.queue_alert();

ALTER TABLE mail_notice DROP CONSTRAINT mail_notice_kind_check;
ALTER TABLE mail_notice ADD CONSTRAINT mail_notice_kind_check CHECK (kind IN ('approval_requested', 'approval_reminder',
  'approval_escalated', 'approval_ended', 'outcome_unknown', 'slack_problem', 'slack_alerts_problem'));
