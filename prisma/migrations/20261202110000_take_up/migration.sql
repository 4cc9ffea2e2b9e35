-- A person may take up a proposal, once: the request that comes of it names the proposal and the person.
-- Locks: tool_request is altered under an exclusive lock without being rewritten; the references and the check read it once,
-- and writes wait while the two indexes are built, of which one is empty.
ALTER TABLE tool_request ADD COLUMN taken_up_from_id TEXT;
ALTER TABLE tool_request ADD COLUMN taken_up_by_id TEXT;
ALTER TABLE tool_request ADD COLUMN taken_up_at TIMESTAMPTZ(3);
CREATE UNIQUE INDEX tool_request_org_id_taken_up_from_id_key ON tool_request(org_id, taken_up_from_id);
ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_taken_up_from_id_fkey FOREIGN KEY (org_id, taken_up_from_id) REFERENCES tool_request(org_id, id)
  ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_taken_up_by_id_fkey FOREIGN KEY (org_id, taken_up_by_id) REFERENCES member(org_id, id)
  ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE tool_request ADD CONSTRAINT tool_request_taken_up_check CHECK
  ((taken_up_from_id IS NULL) = (taken_up_by_id IS NULL) AND (taken_up_at IS NULL OR is_proposal));
CREATE INDEX tool_request_proposals ON tool_request (org_id, id DESC) WHERE is_proposal AND taken_up_at IS NULL;
