-- Who is out, until when, and who stands in: about who is told and expected, never about who may decide.
-- Locks: the new table's references hold writers of member back for a moment.

CREATE TABLE absence (
    id TEXT NOT NULL,
    org_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    delegate_id TEXT NOT NULL,
    starts_at TIMESTAMPTZ(3) NOT NULL,
    ends_at TIMESTAMPTZ(3) NOT NULL,
    set_by TEXT NOT NULL,
    set_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    ended_by TEXT,
    ended_at TIMESTAMPTZ(3),

    CONSTRAINT absence_pkey PRIMARY KEY (id),
    CONSTRAINT absence_delegate_check CHECK (delegate_id <> member_id),
    CONSTRAINT absence_length_check CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '1440 hours'),
    CONSTRAINT absence_ended_check CHECK (ended_by IS NULL OR ended_at IS NOT NULL)
);
CREATE UNIQUE INDEX absence_org_id_id_key ON absence(org_id, id);
CREATE INDEX absence_org_id_member_id_idx ON absence(org_id, member_id);
-- One at a time, however many set one at once.
CREATE UNIQUE INDEX absence_one ON absence(org_id, member_id) WHERE ended_at IS NULL;
ALTER TABLE absence ADD CONSTRAINT absence_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE absence ADD CONSTRAINT absence_org_id_delegate_id_fkey FOREIGN KEY (org_id, delegate_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE absence ADD CONSTRAINT absence_org_id_set_by_fkey FOREIGN KEY (org_id, set_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE absence ADD CONSTRAINT absence_org_id_ended_by_fkey FOREIGN KEY (org_id, ended_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE absence ENABLE ROW LEVEL SECURITY;
ALTER TABLE absence FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON absence TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
-- Another time or another delegate is another absence.
GRANT SELECT, INSERT, UPDATE (ended_by, ended_at) ON absence TO countersign_app;

-- Whether `d` may decide at least all that `m` may: by a role as high, or by rights that cover each of theirs. False for who
-- decides nothing. Of this moment: asked when somebody is chosen, and again whenever people are told.
CREATE FUNCTION app.equals_power(m member, d member) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT m.id <> d.id AND m.disabled_at IS NULL AND d.disabled_at IS NULL AND d.password_hash IS NOT NULL AND CASE
    WHEN app.rank(m.role) > 0 THEN app.rank(d.role) >= app.rank(m.role)
    WHEN m.role <> 'member' OR NOT EXISTS (SELECT 1 FROM approval_right x
      WHERE x.org_id = app.org_id() AND x.member_id = m.id AND x.withdrawn_at IS NULL) THEN false
    ELSE app.rank(d.role) > 0 OR (d.role = 'member' AND NOT EXISTS (SELECT 1 FROM approval_right x
      WHERE x.org_id = app.org_id() AND x.member_id = m.id AND x.withdrawn_at IS NULL AND NOT EXISTS (SELECT 1 FROM approval_right y
        WHERE y.org_id = app.org_id() AND y.member_id = d.id AND y.withdrawn_at IS NULL
          AND array_position(ARRAY['low', 'medium', 'high'], x.max_risk) <= array_position(ARRAY['low', 'medium', 'high'], y.max_risk)
          AND (y.departments IS NULL OR COALESCE(x.departments <@ y.departments, false))
          AND (y.actions IS NULL OR COALESCE(x.actions <@ y.actions, false))
          AND (y.connections IS NULL OR COALESCE(x.connections <@ y.connections, false)))))
  END
$$;
GRANT EXECUTE ON FUNCTION app.equals_power(member, member) TO countersign_app;
