-- What a member started stops when the member is disabled, and goes on when they are enabled again: agents that they own are
-- paused, keys that they issued do not hold. These columns tell that from a pause or a revocation that a person decided upon.
-- Locks: agent and agent_key are altered under an exclusive lock, for as long as their check constraints read them once.
ALTER TABLE agent ADD COLUMN paused_for TEXT;
ALTER TABLE agent ADD CONSTRAINT agent_paused_for_check
  CHECK (paused_for IS NULL OR (paused_for = 'owner_disabled' AND paused_at IS NOT NULL));
ALTER TABLE agent_key ADD COLUMN revoked_for TEXT;
ALTER TABLE agent_key ADD CONSTRAINT agent_key_revoked_for_check
  CHECK (revoked_for IS NULL OR (revoked_for = 'issuer_disabled' AND revoked_at IS NOT NULL));

-- As before, and why an agent is paused or a key does not hold, for the words of the refusal.
CREATE OR REPLACE FUNCTION app.load_policy(p_org text, p_agent text, p_key text, p_connection text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'organization', (SELECT jsonb_build_object('ruleVersion', o.rule_version, 'undoSeconds', o.undo_seconds) FROM organization o),
    'controls', (SELECT jsonb_build_object('version', c.version, 'killLevel', c.kill_level, 'readOnly', c.read_only, 'actionsOff', c.actions_off)
      FROM control_state c),
    'agent', (SELECT jsonb_build_object('id', a.id, 'name', a.name, 'ownerId', a.owner_id, 'autonomy', a.autonomy, 'isPaused', a.paused_at IS NOT NULL,
        'pausedFor', a.paused_for, 'readOnly', a.read_only, 'pendingLimit', a.pending_limit, 'departmentId', a.department_id, 'department', d.name)
      FROM agent a LEFT JOIN department d ON d.id = a.department_id WHERE a.id = p_agent),
    'key', (SELECT jsonb_build_object('id', k.id, 'issuedBy', k.issued_by, 'isValid', k.revoked_at IS NULL, 'revokedFor', k.revoked_for,
        'expiresAt', k.expires_at)
      FROM agent_key k WHERE k.id = p_key),
    'connection', (SELECT jsonb_build_object('id', c.id, 'name', c.name, 'provider', c.provider, 'account', c.account, 'status', c.status,
        'config', c.config, 'configVersion', c.config_version, 'capabilities', c.capabilities, 'sensitive', c.sensitive)
      FROM connection c WHERE c.id = p_connection),
    'credential', (SELECT jsonb_build_object('id', r.id, 'version', r.version, 'kind', r.kind)
      FROM credential r WHERE r.connection_id = p_connection AND r.status = 'active'),
    'grants', COALESCE((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'version', g.version, 'access', g.access, 'actions', g.actions,
        'maxRisk', g.max_risk, 'allow', g.allow, 'perMinute', g.per_minute, 'perHour', g.per_hour, 'perDay', g.per_day,
        'expiresAt', g.expires_at) ORDER BY g.id)
      FROM agent_grant g WHERE g.agent_id = p_agent AND g.connection_id = p_connection AND g.revoked_at IS NULL), '[]'),
    'rules', COALESCE((SELECT s.rules FROM rule_set s JOIN organization o ON s.version = o.rule_version), '[]'),
    'trusted', COALESCE((SELECT jsonb_agg(jsonb_build_object('kind', t.kind, 'value', t.value)) FROM trusted_destination t), '[]')
  )
$$;
