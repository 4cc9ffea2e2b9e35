-- The audit log's waiting line: what was recorded and not yet sealed. Locks: audit_event is altered and indexed under an
-- exclusive lock, which is brief while the table is small; on a large one, build the indexes concurrently before.

-- The agent an entry concerns, as a column to search by. The truth is in the canonical bytes; verification compares the two.
ALTER TABLE audit_event ADD COLUMN agent_id TEXT;

-- Written with the event and removed when it is sealed. A cursor over the events would have to wait for every transaction in
-- the cluster that might still commit behind it, and would lose its place in a restored database; a waiting line needs neither.
CREATE TABLE audit_unsealed (
    org_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    leaf BYTEA NOT NULL,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    queued_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT audit_unsealed_pkey PRIMARY KEY (org_id,event_id)
);
-- The leaf is here as well, so that what is sealed is what was written, whatever became of the event since, and so that the
-- sealer reads this short table alone. For both reasons a seal does not refer to its event: verification says what is missing.
ALTER TABLE audit_seal DROP CONSTRAINT audit_seal_org_id_event_id_fkey;
-- Short-lived rows: vacuumed often, so that the sealer does not walk over the dead.
ALTER TABLE audit_unsealed SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- The explorer's filters. None of them holds what the gateway's hot path writes most, but for the agent's.
CREATE INDEX audit_event_agent ON audit_event (org_id, agent_id, id) WHERE agent_id IS NOT NULL;
CREATE INDEX audit_event_member ON audit_event (org_id, actor_id, id) WHERE starts_with(actor_id, 'mem_');
CREATE INDEX audit_event_type ON audit_event (org_id, type, id) WHERE NOT starts_with(type, 'request.');

ALTER TABLE audit_unsealed ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_unsealed FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_unsealed TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
-- Nothing leaves the line by another way than into the chain.
CREATE POLICY sealed_first ON audit_unsealed AS RESTRICTIVE FOR DELETE TO countersign_app
  USING (EXISTS (SELECT 1 FROM audit_seal s WHERE s.org_id = audit_unsealed.org_id AND s.event_id = audit_unsealed.event_id));
CREATE POLICY across ON audit_unsealed FOR SELECT TO countersign_system USING (true);
GRANT SELECT, INSERT, DELETE ON audit_unsealed TO countersign_app;
GRANT SELECT (org_id, queued_at) ON audit_unsealed TO countersign_system;

-- A value may be erased, by its owner, and never exchanged for another.
CREATE TRIGGER append_only BEFORE UPDATE ON audit_personal FOR EACH ROW EXECUTE FUNCTION app.refuse_change();

-- As before, and in line to be sealed.
CREATE OR REPLACE FUNCTION app.write_audit(p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH added AS (
    INSERT INTO audit_event (id, org_id, type, request_id, actor_id, agent_id, canonical, leaf)
    SELECT e.id, app.org_id(), e.type, e."requestId", e."actorId", e."agentId", decode(e.canonical, 'base64'), decode(e.leaf, 'base64')
    FROM jsonb_to_recordset(p_events)
      AS e(id text, type text, "requestId" text, "actorId" text, "agentId" text, canonical text, leaf text)
    RETURNING org_id, id, leaf)
  INSERT INTO audit_unsealed (org_id, event_id, leaf) SELECT org_id, id, leaf FROM added;
  INSERT INTO audit_personal (org_id, event_id, field, salt, value)
  SELECT app.org_id(), e->>'id', f.field, decode(f.salt, 'base64'), f.value
  FROM jsonb_array_elements(p_events) e, jsonb_to_recordset(e->'personal') AS f(field text, salt text, value text)
  WHERE jsonb_typeof(e->'personal') = 'array';
END $$;
