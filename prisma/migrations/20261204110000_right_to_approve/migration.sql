-- Who may decide what. A member may be given the right to decide up to a risk within a scope; and whoever comes to have the
-- authority to decide, by a role, by being let in again or by a right, decides only what is asked from then on.
-- Locks: member is altered under an exclusive lock without being rewritten, its new columns have constant defaults. The new
-- table's references hold writers of member back for a moment.

-- Since when each authority is held; the epoch for those who had it before this was kept.
ALTER TABLE member
  ADD COLUMN approver_since TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00',
  ADD COLUMN admin_since TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00',
  ADD COLUMN owner_since TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00';

-- A role as a rank: what satisfies `admin` satisfies `approver`. Members and auditors have none.
CREATE FUNCTION app.rank(p_role text) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_role WHEN 'approver' THEN 1 WHEN 'admin' THEN 2 WHEN 'owner' THEN 3 ELSE 0 END
$$;

-- Kept here and by no statement: nobody gives an authority an earlier date.
CREATE FUNCTION app.date_authority() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_was int := 0;
  v_is int := CASE WHEN NEW.disabled_at IS NULL THEN app.rank(NEW.role) ELSE 0 END;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.disabled_at IS NULL THEN v_was := app.rank(OLD.role); END IF;
  IF TG_OP = 'UPDATE' THEN
    NEW.approver_since := OLD.approver_since; NEW.admin_since := OLD.admin_since; NEW.owner_since := OLD.owner_since;
  END IF;
  IF TG_OP = 'INSERT' OR (v_is >= 1 AND v_was < 1) THEN NEW.approver_since := clock_timestamp(); END IF;
  IF TG_OP = 'INSERT' OR (v_is >= 2 AND v_was < 2) THEN NEW.admin_since := clock_timestamp(); END IF;
  IF TG_OP = 'INSERT' OR (v_is >= 3 AND v_was < 3) THEN NEW.owner_since := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER authority BEFORE INSERT OR UPDATE ON member FOR EACH ROW EXECUTE FUNCTION app.date_authority();

-- What a member without a deciding role may decide. A list that is NULL limits nothing; an empty one is refused.
CREATE TABLE approval_right (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    max_risk TEXT NOT NULL,
    departments TEXT[],
    actions TEXT[],
    connections TEXT[],
    given_by TEXT NOT NULL,
    given_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    withdrawn_by TEXT,
    withdrawn_at TIMESTAMPTZ(3),

    CONSTRAINT approval_right_pkey PRIMARY KEY (id),
    CONSTRAINT approval_right_risk_check CHECK (max_risk IN ('low', 'medium', 'high')),
    CONSTRAINT approval_right_scope_check CHECK (cardinality(departments) > 0 AND cardinality(actions) > 0 AND cardinality(connections) > 0),
    CONSTRAINT approval_right_giver_check CHECK (given_by <> member_id)
);
CREATE UNIQUE INDEX approval_right_org_id_id_key ON approval_right(org_id, id);
CREATE INDEX approval_right_org_id_member_id_idx ON approval_right(org_id, member_id);
ALTER TABLE approval_right ADD CONSTRAINT approval_right_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE approval_right ADD CONSTRAINT approval_right_org_id_given_by_fkey FOREIGN KEY (org_id, given_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE approval_right ADD CONSTRAINT approval_right_org_id_withdrawn_by_fkey FOREIGN KEY (org_id, withdrawn_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE approval_right ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_right FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approval_right TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
-- A right is never widened: another one is given, with a date of its own.
GRANT SELECT, INSERT, UPDATE (withdrawn_by, withdrawn_at) ON approval_right TO countersign_app;

-- A right belongs to an active member: another role, or being shut out, ends it for good.
CREATE FUNCTION app.end_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval_right SET withdrawn_at = clock_timestamp() WHERE org_id = NEW.org_id AND member_id = NEW.id AND withdrawn_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER rights AFTER UPDATE OF role, disabled_at ON member FOR EACH ROW
  WHEN (OLD.role IS DISTINCT FROM NEW.role OR (OLD.disabled_at IS NULL) <> (NEW.disabled_at IS NULL))
  EXECUTE FUNCTION app.end_rights();

-- Whether a right that the member holds, and held before `p_asked`, covers such a request. It decides as an approver does, no more.
CREATE FUNCTION app.covers(p_member text, p_asked timestamptz, p_risk text, p_action text, p_connection text, p_department text)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM approval_right x
    WHERE x.org_id = app.org_id() AND x.member_id = p_member AND x.withdrawn_at IS NULL AND x.given_at < p_asked
      AND array_position(ARRAY['low', 'medium', 'high'], p_risk) <= array_position(ARRAY['low', 'medium', 'high'], x.max_risk)
      AND (x.departments IS NULL OR COALESCE(p_department = ANY (x.departments), false))
      AND (x.actions IS NULL OR p_action = ANY (x.actions))
      AND (x.connections IS NULL OR COALESCE(p_connection = ANY (x.connections), false)))
$$;

-- Whether a member may decide what was asked at `p_asked` and takes `p_role`: by the role of now, held since before, or by a right.
CREATE FUNCTION app.decides(m member, p_asked timestamptz, p_role text, p_risk text, p_action text, p_connection text, p_department text)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT m.disabled_at IS NULL AND app.rank(p_role) > 0 AND (
    (app.rank(m.role) >= app.rank(p_role)
      AND CASE p_role WHEN 'approver' THEN m.approver_since WHEN 'admin' THEN m.admin_since ELSE m.owner_since END < p_asked)
    OR (m.role = 'member' AND p_role = 'approver' AND app.covers(m.id, p_asked, p_risk, p_action, p_connection, p_department)))
$$;
GRANT EXECUTE ON FUNCTION app.rank(text) TO countersign_app;
GRANT EXECUTE ON FUNCTION app.covers(text, timestamptz, text, text, text, text) TO countersign_app;
GRANT EXECUTE ON FUNCTION app.decides(member, timestamptz, text, text, text, text, text) TO countersign_app;
