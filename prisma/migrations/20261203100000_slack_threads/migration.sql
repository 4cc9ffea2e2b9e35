-- What a card and its thread say by now, and word of every change that either has to follow. The new columns have
-- constant defaults: both tables are held for a moment and not rewritten.

-- `shown`: the state that the card shows. `told`: the outcome that the thread has. `reminded_at`: its last reminder.
-- `is_reply_unsure`: a reply may have been posted that this row does not know of.
ALTER TABLE slack_card
    ADD COLUMN shown TEXT NOT NULL DEFAULT '',
    ADD COLUMN told TEXT,
    ADD COLUMN reminded_at TIMESTAMPTZ(3),
    ADD COLUMN is_reply_unsure BOOLEAN NOT NULL DEFAULT false;

GRANT SELECT (reminded_at) ON slack_card TO countersign_system;

-- Whoever ends an approval, or reminds of one, and by whatever statement: cards hear of it when that commits.
CREATE FUNCTION app.tell_card() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('countersign', json_build_object('o', NEW.org_id, 'k', 'card', 'i', NEW.id)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER approval_card AFTER UPDATE OF status, reminded_at, is_held ON approval FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.reminded_at IS DISTINCT FROM NEW.reminded_at OR OLD.is_held IS DISTINCT FROM NEW.is_held)
  EXECUTE FUNCTION app.tell_card();
