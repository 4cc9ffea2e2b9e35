-- A request may make good for an earlier one of the same agent, and names it.
-- Locks: tool_request is altered under an exclusive lock without being rewritten; the reference reads it once, and writes wait while
-- an index over nothing is built.
ALTER TABLE tool_request ADD COLUMN compensates_id TEXT;
ALTER TABLE tool_request ADD CONSTRAINT tool_request_org_id_compensates_id_fkey FOREIGN KEY (org_id, compensates_id) REFERENCES tool_request(org_id, id)
  ON DELETE RESTRICT ON UPDATE RESTRICT;
CREATE INDEX tool_request_compensates_idx ON tool_request(org_id, compensates_id) WHERE compensates_id IS NOT NULL;
