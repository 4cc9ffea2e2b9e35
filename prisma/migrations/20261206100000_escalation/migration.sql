-- What nobody decides goes on to the next role after a time that the organization sets, each stage once; and an organization may
-- let Slack approve low risk only. The new columns have constant defaults or none: both tables are held for a moment and not rewritten.

-- Minutes after which an approval goes on to the next role; 0 is never. High risk is never approved in Slack.
ALTER TABLE organization
  ADD COLUMN escalate_after_minutes INT NOT NULL DEFAULT 15,
  ADD COLUMN slack_max_risk TEXT NOT NULL DEFAULT 'medium',
  ADD CONSTRAINT organization_escalate_check CHECK (escalate_after_minutes BETWEEN 0 AND 10080),
  ADD CONSTRAINT organization_slack_risk_check CHECK (slack_max_risk IN ('low', 'medium'));

-- `escalates_at`: when it goes on to the next role; NULL for never.
ALTER TABLE approval
  ADD COLUMN escalated_to TEXT,
  ADD COLUMN escalated_at TIMESTAMPTZ(3),
  ADD COLUMN escalates_at TIMESTAMPTZ(3),
  ADD CONSTRAINT approval_escalated_check CHECK ((escalated_to IS NULL) = (escalated_at IS NULL) AND escalated_to IN ('admin', 'owner'));
CREATE INDEX approval_escalates ON approval (escalates_at) WHERE status = 'pending';

-- Kept here and by no statement: counted from when its time to decide began, or from when it went on last.
CREATE FUNCTION app.set_escalation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_minutes int;
  v_since timestamptz := COALESCE(NEW.escalated_at, NEW.expires_at - make_interval(secs => NEW.lifetime_seconds), NEW.created_at);
BEGIN
  SELECT escalate_after_minutes INTO v_minutes FROM organization WHERE id = NEW.org_id;
  NEW.escalates_at := CASE WHEN v_minutes > 0 AND COALESCE(NEW.escalated_to, NEW.required_role) <> 'owner'
    THEN v_since + make_interval(mins => v_minutes) END;
  RETURN NEW;
END $$;
CREATE TRIGGER escalation BEFORE INSERT OR UPDATE OF expires_at, escalated_to, escalated_at, escalates_at ON approval
  FOR EACH ROW EXECUTE FUNCTION app.set_escalation();

-- What waits follows the setting of now: touching the column has the trigger above set it anew.
CREATE FUNCTION app.follow_escalation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval SET escalates_at = NULL WHERE org_id = NEW.id AND status = 'pending';
  RETURN NULL;
END $$;
CREATE TRIGGER escalation AFTER UPDATE OF escalate_after_minutes ON organization FOR EACH ROW
  WHEN (OLD.escalate_after_minutes IS DISTINCT FROM NEW.escalate_after_minutes)
  EXECUTE FUNCTION app.follow_escalation();

-- What waits already.
UPDATE approval SET escalates_at = NULL WHERE status = 'pending';

-- The sweep finds what no event woke.
GRANT SELECT (escalates_at, escalated_at) ON approval TO countersign_system;

CREATE TRIGGER approval_escalated AFTER UPDATE OF escalated_at ON approval FOR EACH ROW
  WHEN (OLD.escalated_at IS DISTINCT FROM NEW.escalated_at)
  EXECUTE FUNCTION app.tell_card();
