-- What an approver edited before approving: the version of the request that was replaced, whole, under the approval that it made void.
-- A new table. Its references take a lock on tool_request, approval and member that holds writers back for a moment.
CREATE TABLE request_edit (
    org_id TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    nonce BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    sealed_arguments BYTEA NOT NULL,
    edited_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT request_edit_pkey PRIMARY KEY (org_id,approval_id)
);
CREATE INDEX request_edit_org_id_request_id_idx ON request_edit(org_id, request_id);
ALTER TABLE request_edit ADD CONSTRAINT request_edit_org_id_approval_id_fkey FOREIGN KEY (org_id, approval_id) REFERENCES approval(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE request_edit ADD CONSTRAINT request_edit_org_id_request_id_fkey FOREIGN KEY (org_id, request_id) REFERENCES tool_request(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE request_edit ADD CONSTRAINT request_edit_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE request_edit ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_edit FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON request_edit TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
-- History: written once.
GRANT SELECT, INSERT ON request_edit TO countersign_app;
