-- Who owned the agent when it asked: they count as having asked, whoever owns it later. Unknown (NULL) for requests made before.
-- Locks: tool_request is altered under an exclusive lock; the reference reads it once.
ALTER TABLE tool_request ADD COLUMN owner_id TEXT;
ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_owner_id_fkey FOREIGN KEY (org_id, owner_id) REFERENCES member(org_id, id)
  ON DELETE RESTRICT ON UPDATE RESTRICT;
