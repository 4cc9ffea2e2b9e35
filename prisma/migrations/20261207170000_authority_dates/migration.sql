-- Authority is dated against the first time that a request was asked for, however often it is asked anew; and an owner who is
-- alone decides what they asked only where they were alone, and let, before it was asked: nobody shuts the others out to approve.
-- Columns with constant defaults; the rewrite of waiting approvals touches each row once.

ALTER TABLE approval ADD COLUMN asked_at TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE approval a SET asked_at = (SELECT min(b.created_at) FROM approval b WHERE b.org_id = a.org_id AND b.request_id = a.request_id);

-- `since`: when it was switched on, or who could decide last changed; kept by triggers.
ALTER TABLE approver_safety ADD COLUMN since TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;

CREATE FUNCTION app.date_own_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.owner_decides_own AND NOT OLD.owner_decides_own THEN NEW.since := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER own_requests BEFORE UPDATE OF owner_decides_own ON approver_safety
  FOR EACH ROW EXECUTE FUNCTION app.date_own_requests();

CREATE FUNCTION app.deciders_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approver_safety SET since = clock_timestamp() WHERE org_id = NEW.org_id;
  RETURN NULL;
END $$;
CREATE TRIGGER deciders AFTER UPDATE OF role, disabled_at, password_hash ON member FOR EACH ROW
  WHEN ((app.rank(OLD.role) > 0 OR app.rank(NEW.role) > 0) AND (OLD.role <> NEW.role
    OR (OLD.disabled_at IS NULL) <> (NEW.disabled_at IS NULL) OR (OLD.password_hash IS NULL) <> (NEW.password_hash IS NULL)))
  EXECUTE FUNCTION app.deciders_changed();
CREATE TRIGGER deciders_way_in AFTER INSERT ON member FOR EACH ROW
  WHEN (app.rank(NEW.role) > 0 AND NEW.password_hash IS NOT NULL) EXECUTE FUNCTION app.deciders_changed();
CREATE TRIGGER deciders AFTER INSERT OR UPDATE ON approval_right FOR EACH ROW EXECUTE FUNCTION app.deciders_changed();

DROP FUNCTION app.decides_own(member, int);
-- Whether a member may decide even what they asked at `p_asked`: the setting is on, one person suffices, they are an owner with a
-- way in, nobody else with a way in could decide anything, by a role or by a right, and all of it was so before it was asked.
CREATE FUNCTION app.decides_own(m member, p_people int, p_asked timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_people = 1 AND m.role = 'owner' AND m.disabled_at IS NULL AND m.password_hash IS NOT NULL
    AND EXISTS (SELECT 1 FROM approver_safety s WHERE s.org_id = app.org_id() AND s.owner_decides_own AND s.since < p_asked)
    AND NOT EXISTS (SELECT 1 FROM member x
      WHERE x.org_id = app.org_id() AND x.id <> m.id AND x.disabled_at IS NULL AND x.password_hash IS NOT NULL
        AND (app.rank(x.role) > 0 OR (x.role = 'member' AND EXISTS (SELECT 1 FROM approval_right r
          WHERE r.org_id = app.org_id() AND r.member_id = x.id AND r.withdrawn_at IS NULL))))
$$;
GRANT EXECUTE ON FUNCTION app.decides_own(member, int, timestamptz) TO countersign_app;
