-- What an organization sets about its approvers: whether an owner who is alone may decide what they asked.
-- Locks: decision is altered under an exclusive lock without being rewritten; the triggers hold writers of member and
-- approval_right back for a moment.

-- One row an organization, made when something is first set; without one nothing of it is on.
CREATE TABLE approver_safety (
    org_id TEXT NOT NULL,
    owner_decides_own BOOLEAN NOT NULL DEFAULT false,
    version INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT approver_safety_pkey PRIMARY KEY (org_id)
);
ALTER TABLE approver_safety ADD CONSTRAINT approver_safety_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE approver_safety ENABLE ROW LEVEL SECURITY;
ALTER TABLE approver_safety FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approver_safety TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
GRANT SELECT, INSERT, UPDATE ON approver_safety TO countersign_app;

-- The claim finds what changed meanwhile: this setting, a right, and a way in that somebody came to have.
CREATE TRIGGER policy AFTER INSERT OR UPDATE ON approver_safety FOR EACH ROW EXECUTE FUNCTION app.bump_policy();
CREATE TRIGGER policy AFTER INSERT OR UPDATE ON approval_right FOR EACH ROW EXECUTE FUNCTION app.bump_policy();
CREATE TRIGGER policy_way_in AFTER UPDATE OF password_hash ON member FOR EACH ROW
  WHEN ((OLD.password_hash IS NULL) <> (NEW.password_hash IS NULL)) EXECUTE FUNCTION app.bump_policy();

-- Whether the one who decided counted as having asked: history.
ALTER TABLE decision ADD COLUMN is_own BOOLEAN NOT NULL DEFAULT false;

-- Whether a member may decide even what they asked: the setting is on, one person suffices, they are an owner with a way in,
-- and nobody else with a way in could decide anything, by a role or by a right. Of this moment, never kept.
CREATE FUNCTION app.decides_own(m member, p_people int) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_people = 1 AND m.role = 'owner' AND m.disabled_at IS NULL AND m.password_hash IS NOT NULL
    AND EXISTS (SELECT 1 FROM approver_safety s WHERE s.org_id = app.org_id() AND s.owner_decides_own)
    AND NOT EXISTS (SELECT 1 FROM member x
      WHERE x.org_id = app.org_id() AND x.id <> m.id AND x.disabled_at IS NULL AND x.password_hash IS NOT NULL
        AND (app.rank(x.role) > 0 OR (x.role = 'member' AND EXISTS (SELECT 1 FROM approval_right r
          WHERE r.org_id = app.org_id() AND r.member_id = x.id AND r.withdrawn_at IS NULL))))
$$;
GRANT EXECUTE ON FUNCTION app.decides_own(member, int) TO countersign_app;
