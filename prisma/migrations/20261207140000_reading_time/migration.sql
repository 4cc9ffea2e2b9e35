-- When somebody first had an approval before them, how long reading it takes at least, and rules that ask for a second
-- person where an approval came sooner. Columns with constant defaults and a new table: no rewrite, and writers are held
-- back for a moment only.
ALTER TABLE rule ADD COLUMN second_if_quick BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE rule ADD CONSTRAINT rule_second_if_quick CHECK (verdict = 'approval' OR NOT second_if_quick);
ALTER TABLE decision ADD COLUMN opened_at TIMESTAMPTZ(3), ADD COLUMN reading_ms INTEGER;
CREATE INDEX decision_org_id_decided_at_idx ON decision(org_id, decided_at);

CREATE TABLE approval_opening (
    org_id TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    opened_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT approval_opening_pkey PRIMARY KEY (org_id,approval_id,member_id)
);
ALTER TABLE approval_opening ADD CONSTRAINT approval_opening_org_id_approval_id_fkey FOREIGN KEY (org_id, approval_id) REFERENCES approval(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE approval_opening ADD CONSTRAINT approval_opening_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE approval_opening ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_opening FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON approval_opening TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
-- History: written once.
GRANT SELECT, INSERT ON approval_opening TO countersign_app;
