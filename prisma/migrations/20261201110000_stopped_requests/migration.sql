-- What a kill switch stopped goes back to the queue after the switch itself, in batches. A sweep across organizations finds what
-- is left: when a switch was thrown and since when a request waits to run are times, no content.
-- Locks: building the index holds writers of tool_request back; it reads the table once and holds only what waits to run.
CREATE INDEX tool_request_waiting ON tool_request (org_id, id) WHERE status IN ('ready', 'scheduled');
GRANT SELECT (org_id, kill_at) ON control_state TO countersign_system;
GRANT SELECT (updated_at) ON tool_request TO countersign_system;
CREATE POLICY across ON control_state FOR SELECT TO countersign_system USING (true);
