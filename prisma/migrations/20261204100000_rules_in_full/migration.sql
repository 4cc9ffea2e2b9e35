-- Rules in full: a version of the rules may bring an earlier one back; a rule may run in shadow, and what it would have done
-- stands with the request; a rule may ask whether anybody in the organization reached a target before.
-- Locks: columns are added under an exclusive lock without a table being rewritten; writes to seen_target and tool_request wait
-- while an index is built, of which the second holds nothing yet.
ALTER TABLE rule_set ADD COLUMN restores INTEGER;
ALTER TABLE rule_set ADD CONSTRAINT rule_set_restores_check CHECK (restores >= 0 AND restores < version);
ALTER TABLE rule ADD COLUMN is_shadow BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE tool_request ADD COLUMN shadow_matches JSONB;
CREATE INDEX seen_target_org_id_target_idx ON seen_target(org_id, target);
CREATE INDEX tool_request_shadow_idx ON tool_request(org_id, id) WHERE shadow_matches IS NOT NULL;

-- As before, and what the organization's other agents, or this one over other connections, have reached: asked only where a
-- target is new to this agent over this connection.
CREATE OR REPLACE FUNCTION app.load_facts(
  p_org text, p_agent text, p_key text, p_connection text, p_reference text, p_new_session text,
  p_targets text[], p_idempotency_key text, p_currency text, p_known_policy bigint
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v record;
  v_seen jsonb := '[]';
  v_seen_by_org jsonb := '[]';
  v_existing jsonb;
  v_budgets jsonb := '[]';
  v_policy jsonb;
  v_done text;
BEGIN
  v_done := set_config('app.org_id', p_org, true);
  v_done := set_config('synchronous_commit', 'off', true);
  LOOP
    SELECT o.policy_version, s.id AS session, s.labels, s.origin,
      (SELECT max(d.level) FROM deployment_control d WHERE d.leased_until > clock_timestamp()) AS level,
      (SELECT count(*) FROM tool_request r WHERE r.org_id = p_org AND r.agent_id = p_agent AND r.status = 'pending') AS pending,
      (SELECT jsonb_object_agg(u.grant_id, jsonb_build_object(
          'minute', CASE WHEN u.minute_start >= date_trunc('minute', v_now, 'UTC') THEN u.minute_count ELSE 0 END,
          'hour', CASE WHEN u.hour_start >= date_trunc('hour', v_now, 'UTC') THEN u.hour_count ELSE 0 END,
          'day', CASE WHEN u.day_start >= date_trunc('day', v_now, 'UTC') THEN u.day_count ELSE 0 END))
        FROM grant_usage u JOIN agent_grant g ON g.id = u.grant_id
        WHERE g.org_id = p_org AND g.agent_id = p_agent AND g.connection_id = p_connection AND g.revoked_at IS NULL) AS usage
    INTO v FROM organization o LEFT JOIN session s ON s.org_id = o.id AND s.agent_id = p_agent AND s.reference = p_reference
    WHERE o.id = p_org;
    EXIT WHEN v.session IS NOT NULL;
    INSERT INTO session (id, org_id, agent_id, reference, origin, labels)
    VALUES (p_new_session, p_org, p_agent, p_reference, 'external', ARRAY['unverified']) ON CONFLICT (org_id, agent_id, reference) DO NOTHING;
  END LOOP;
  IF cardinality(p_targets) > 0 THEN
    SELECT COALESCE(jsonb_agg(t.target), '[]') INTO v_seen FROM seen_target t
    WHERE t.org_id = p_org AND t.agent_id = p_agent AND t.connection_id = p_connection AND t.target = ANY (p_targets);
    v_seen_by_org := v_seen;
    IF jsonb_array_length(v_seen) < cardinality(p_targets) THEN
      SELECT COALESCE(jsonb_agg(x), '[]') INTO v_seen_by_org FROM unnest(p_targets) x
      WHERE EXISTS (SELECT 1 FROM seen_target t WHERE t.org_id = p_org AND t.target = x);
    END IF;
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    SELECT jsonb_build_object('id', r.id, 'hash', encode(r.idempotency_hash, 'hex')) INTO v_existing
    FROM tool_request r WHERE r.org_id = p_org AND r.agent_id = p_agent AND r.idempotency_key = p_idempotency_key;
  END IF;
  IF p_currency IS NOT NULL THEN
    SELECT COALESCE(jsonb_agg(jsonb_build_object('id', b.id, 'scope', b.scope, 'period', b.period, 'currency', b.currency,
        'capMicros', b.cap_micros::text, 'reservedMicros', b.reserved_micros::text,
        'spentMicros', CASE WHEN b.period_start >= app.period_start(b.period, v_now) THEN b.spent_micros ELSE 0 END::text) ORDER BY b.id), '[]')
    INTO v_budgets FROM budget b, agent a WHERE a.id = p_agent AND b.currency = p_currency
      AND ((b.scope IN ('organization', 'request') AND b.scope_id = p_org) OR (b.scope = 'agent' AND b.scope_id = a.id)
        OR (b.scope = 'department' AND b.scope_id = a.department_id));
  END IF;
  IF v.policy_version IS DISTINCT FROM p_known_policy THEN v_policy := app.load_policy(p_org, p_agent, p_key, p_connection); END IF;
  RETURN jsonb_build_object('now', v_now, 'policyVersion', v.policy_version, 'deploymentLevel', v.level,
    'session', jsonb_build_object('id', v.session, 'labels', v.labels, 'origin', v.origin), 'pending', v.pending,
    'seenTargets', v_seen, 'seenByOrganization', v_seen_by_org, 'existing', v_existing, 'usage', COALESCE(v.usage, '{}'), 'budgets', v_budgets, 'policy', v_policy);
END $$;
