-- The same rule, asked of the index row by row: as EXISTS it was planned as a hash of the whole chain, made anew for every batch
-- that is sealed. Takes an exclusive lock on audit_unsealed for a moment.
ALTER POLICY sealed_first ON audit_unsealed
  USING ((SELECT s.idx FROM audit_seal s WHERE s.org_id = audit_unsealed.org_id AND s.event_id = audit_unsealed.event_id) IS NOT NULL);
