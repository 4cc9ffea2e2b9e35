-- Cards say how many answers there are and how many it takes: they hear of both, and the sweep can tell which card is
-- behind. Triggers and grants alone: each table is held for a moment.

DROP TRIGGER approval_card ON approval;
CREATE TRIGGER approval_card AFTER UPDATE OF status, reminded_at, is_held, required_people ON approval FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.reminded_at IS DISTINCT FROM NEW.reminded_at OR OLD.is_held IS DISTINCT FROM NEW.is_held
    OR OLD.required_people IS DISTINCT FROM NEW.required_people)
  EXECUTE FUNCTION app.tell_card();

-- Whoever answers, and wherever.
CREATE FUNCTION app.tell_card_of_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('countersign', json_build_object('o', NEW.org_id, 'k', 'card', 'i', NEW.approval_id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER decision_card AFTER INSERT ON decision FOR EACH ROW EXECUTE FUNCTION app.tell_card_of_answer();

GRANT SELECT (required_people) ON approval TO countersign_system;
GRANT SELECT (shown) ON slack_card TO countersign_system;
GRANT SELECT (org_id, approval_id, decision) ON decision TO countersign_system;
CREATE POLICY across ON decision FOR SELECT TO countersign_system USING (true);
