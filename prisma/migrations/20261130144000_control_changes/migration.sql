-- Who moved an organization's controls, when and why: one row for each version, never changed.
-- A new table. Its references take a lock on organization and member that holds writers back for a moment.
CREATE TABLE control_change (
    org_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    control TEXT NOT NULL,
    level TEXT,
    subject TEXT,
    enabled BOOLEAN NOT NULL,
    changed_by TEXT NOT NULL,
    sealed_reason BYTEA,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT control_change_pkey PRIMARY KEY (org_id,version)
);

ALTER TABLE control_change ADD CONSTRAINT control_change_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE control_change ADD CONSTRAINT control_change_org_id_changed_by_fkey FOREIGN KEY (org_id, changed_by) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE control_change ADD CONSTRAINT control_change_control_check CHECK (control IN ('kill_switch', 'read_only', 'action'));

ALTER TABLE control_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE control_change FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON control_change TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
GRANT SELECT, INSERT ON control_change TO countersign_app;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON control_change FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
