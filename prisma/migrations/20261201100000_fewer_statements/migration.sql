-- The hot path in a third of the statements, by the same rules: starting a statement costs more than what it does. What is an
-- assignment here and no PERFORM is evaluated without starting one. Nothing is altered but functions, and no table is locked.

-- What a bucket holds at this moment.
CREATE FUNCTION app.refilled(p_tokens double precision, p_updated_at timestamptz, p_per_minute int, p_burst int)
RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT LEAST(p_burst, p_tokens + GREATEST(0, extract(epoch FROM clock_timestamp() - p_updated_at)) * p_per_minute / 60.0)
$$;

-- Takes one token of the credential's bucket. Returns 0, or the seconds until there is one.
CREATE OR REPLACE FUNCTION app.take_token(p_bucket text, p_per_minute int, p_burst int) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
  v_wait double precision;
BEGIN
  LOOP
    UPDATE rate_bucket b SET
      tokens = app.refilled(b.tokens, b.updated_at, p_per_minute, p_burst) - 1, updated_at = GREATEST(clock_timestamp(), b.updated_at)
    WHERE b.org_id = app.org_id() AND b.bucket = p_bucket AND app.refilled(b.tokens, b.updated_at, p_per_minute, p_burst) >= 1;
    IF FOUND THEN RETURN 0; END IF;
    SELECT (1 - app.refilled(b.tokens, b.updated_at, p_per_minute, p_burst)) * 60.0 / p_per_minute INTO v_wait
    FROM rate_bucket b WHERE b.org_id = app.org_id() AND b.bucket = p_bucket;
    IF v_wait > 0 THEN RETURN v_wait; END IF;
    IF v_wait IS NULL THEN
      INSERT INTO rate_bucket (org_id, bucket, tokens, updated_at) VALUES (app.org_id(), p_bucket, p_burst, clock_timestamp())
      ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
END $$;

-- Who presents this agent key, and whether the rate limit lets the call through.
-- NULL: no such key. {limited, retryAfter}: turned away. Otherwise the agent.
CREATE OR REPLACE FUNCTION app.admit_agent(p_org text, p_key text, p_hash bytea) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v record;
  v_wait double precision;
  v_done text;
BEGIN
  v_done := set_config('app.org_id', p_org, true);
  v_done := set_config('synchronous_commit', 'off', true);
  SELECT k.agent_id, k.issued_by, k.last_used_at, a.owner_id, a.name, o.requests_per_minute, o.request_burst INTO v
  FROM agent_key k JOIN agent a ON a.id = k.agent_id CROSS JOIN organization o
  WHERE k.id = p_key AND k.secret_hash = p_hash AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp();
  IF NOT FOUND THEN
    v_done := app.count_refusal('unauthenticated', 'agent_key')::text;
    RETURN NULL;
  END IF;
  v_wait := app.take_token(p_key, v.requests_per_minute, v.request_burst);
  IF v_wait > 0 THEN
    v_done := app.count_refusal('rate_limited', p_key)::text;
    RETURN jsonb_build_object('limited', true, 'retryAfter', ceil(v_wait));
  END IF;
  IF v.last_used_at IS NULL OR v.last_used_at < clock_timestamp() - interval '1 minute' THEN
    UPDATE agent_key SET last_used_at = clock_timestamp() WHERE id = p_key;
  END IF;
  RETURN jsonb_build_object('limited', false, 'agentId', v.agent_id, 'issuedBy', v.issued_by, 'ownerId', v.owner_id, 'name', v.name);
END $$;

-- Everything the checks read, as one document. Creates the session if it is new. No content leaves by this. Targets, budgets (of
-- the currency of the action's price) and the request of an idempotency key are read only where the call has such a thing.
DROP FUNCTION app.load_facts(text, text, text, text, text, text, text[], text, bigint);
CREATE FUNCTION app.load_facts(
  p_org text, p_agent text, p_key text, p_connection text, p_reference text, p_new_session text,
  p_targets text[], p_idempotency_key text, p_currency text, p_known_policy bigint
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v record;
  v_seen jsonb := '[]';
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
    'seenTargets', v_seen, 'existing', v_existing, 'usage', COALESCE(v.usage, '{}'), 'budgets', v_budgets, 'policy', v_policy);
END $$;

-- As before; personal values are looked for only where an event has some.
CREATE OR REPLACE FUNCTION app.write_audit(p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH added AS (
    INSERT INTO audit_event (id, org_id, type, request_id, actor_id, agent_id, canonical, leaf)
    SELECT e.id, app.org_id(), e.type, e."requestId", e."actorId", e."agentId", decode(e.canonical, 'base64'), decode(e.leaf, 'base64')
    FROM jsonb_to_recordset(p_events)
      AS e(id text, type text, "requestId" text, "actorId" text, "agentId" text, canonical text, leaf text)
    RETURNING org_id, id, leaf)
  INSERT INTO audit_unsealed (org_id, event_id, leaf) SELECT org_id, id, leaf FROM added;
  IF p_events @? '$[*].personal' THEN
    INSERT INTO audit_personal (org_id, event_id, field, salt, value)
    SELECT app.org_id(), e->>'id', f.field, decode(f.salt, 'base64'), f.value
    FROM jsonb_array_elements(p_events) e, jsonb_to_recordset(e->'personal') AS f(field text, salt text, value text)
    WHERE jsonb_typeof(e->'personal') = 'array';
  END IF;
END $$;

-- One use of a grant, counted if its limits allow it. Windows never go back, however long a caller waited for the row.
CREATE OR REPLACE FUNCTION app.count_use(p_grant text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t timestamptz := clock_timestamp();
  m timestamptz := date_trunc('minute', t, 'UTC');
  h timestamptz := date_trunc('hour', t, 'UTC');
  d timestamptz := date_trunc('day', t, 'UTC');
  v record;
BEGIN
  UPDATE grant_usage u SET
    minute_count = CASE WHEN u.minute_start >= m THEN u.minute_count + 1 ELSE 1 END, minute_start = GREATEST(u.minute_start, m),
    hour_count = CASE WHEN u.hour_start >= h THEN u.hour_count + 1 ELSE 1 END, hour_start = GREATEST(u.hour_start, h),
    day_count = CASE WHEN u.day_start >= d THEN u.day_count + 1 ELSE 1 END, day_start = GREATEST(u.day_start, d)
  FROM agent_grant g WHERE g.id = p_grant AND u.grant_id = g.id
    AND (g.per_minute IS NULL OR u.minute_start < m OR u.minute_count < g.per_minute)
    AND (g.per_hour IS NULL OR u.hour_start < h OR u.hour_count < g.per_hour)
    AND (g.per_day IS NULL OR u.day_start < d OR u.day_count < g.per_day);
  IF FOUND THEN RETURN; END IF;
  SELECT u.*, g.per_minute, g.per_hour, g.per_day INTO v FROM grant_usage u JOIN agent_grant g ON g.id = u.grant_id WHERE u.grant_id = p_grant;
  IF NOT FOUND THEN RAISE EXCEPTION 'stale' USING ERRCODE = 'CS001'; END IF;
  RAISE EXCEPTION 'usage_limit' USING ERRCODE = 'CS002', DETAIL = ceil(extract(epoch FROM
    CASE WHEN v.day_count >= v.per_day THEN v.day_start + interval '1 day'
         WHEN v.hour_count >= v.per_hour THEN v.hour_start + interval '1 hour'
         ELSE v.minute_start + interval '1 minute' END - clock_timestamp()))::text;
END $$;

-- The claim: the only way to `executing`. One short transaction under the organization's shared control lock: what was decided
-- must still be what holds (policy version, deployment switch, session labels, the row itself), then limits and money are taken,
-- the row moves, and "started" is written. Raises CS001 (stale: decide again), CS002 (usage limit), CS003 (budget), CS004 (row taken).
-- Commits without waiting for the disk so that the counter rows are free at once: the caller must flush before the effect.
-- Returns the sealed credential in use.
CREATE OR REPLACE FUNCTION app.claim(p_org text, p jsonb)
RETURNS TABLE (credential_id text, credential_version int, credential_kind text, sealed bytea) LANGUAGE plpgsql AS $$
DECLARE
  v_request text := p->>'requestId';
  v_done text;
BEGIN
  v_done := set_config('app.org_id', p_org, true);
  v_done := set_config('synchronous_commit', 'off', true);
  -- Its own statement: those after it see what whoever held the lock has committed.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('controls:' || p_org, 0));
  PERFORM 1 FROM organization o JOIN session s ON s.org_id = o.id
  WHERE o.id = p_org AND o.policy_version = (p->>'policyVersion')::bigint
    AND s.id = p->>'sessionId' AND to_jsonb(s.labels) = p->'labels'
    AND (SELECT max(d.level) FROM deployment_control d WHERE d.leased_until > clock_timestamp()) IS NOT DISTINCT FROM (p->>'deploymentLevel');
  IF NOT FOUND THEN RAISE EXCEPTION 'stale' USING ERRCODE = 'CS001'; END IF;
  IF p->'insert' IS NOT NULL THEN
    INSERT INTO tool_request SELECT r.* FROM jsonb_populate_record(NULL::tool_request, p->'insert' || jsonb_build_object(
      'org_id', p_org, 'status', 'executing', 'version', 1, 'created_at', clock_timestamp(), 'updated_at', clock_timestamp(),
      'claimed_at', clock_timestamp(), 'claim_token', p->>'token', 'lease_until', clock_timestamp() + (p->>'leaseSeconds')::int * interval '1 second')) r;
  ELSE
    UPDATE tool_request r SET status = 'executing', version = r.version + 1, updated_at = clock_timestamp(), claimed_at = clock_timestamp(),
      claim_token = p->>'token', lease_until = clock_timestamp() + (p->>'leaseSeconds')::int * interval '1 second',
      credential_id = p->>'credentialId', credential_version = (p->>'credentialVersion')::int, blocked_check = NULL, blocked_code = NULL
    WHERE r.id = v_request AND r.status IN ('ready', 'scheduled') AND r.digest = decode(p->>'digest', 'hex')
      AND r.approval_id IS NOT DISTINCT FROM (p->>'approvalId')
      AND r.runs_at <= clock_timestamp() AND r.runs_at > clock_timestamp() - interval '15 minutes';
    IF NOT FOUND THEN RAISE EXCEPTION 'row_taken' USING ERRCODE = 'CS004'; END IF;
    v_done := app.tell('request', v_request)::text;
  END IF;
  v_done := app.count_use(p->>'grantId')::text;
  IF jsonb_array_length(p->'holds') > 0 THEN v_done := app.hold_budgets(v_request, p->'holds')::text; END IF;
  v_done := app.write_audit(p->'audit')::text;
  IF p->>'credentialId' IS NOT NULL THEN
    RETURN QUERY SELECT c.id, c.version, c.kind, c.sealed FROM credential c WHERE c.id = p->>'credentialId' AND c.status = 'active';
  END IF;
END $$;

-- The end of a claimed run: only the claim named by the token may settle it. Returns the new version, or NULL if it was settled otherwise.
CREATE OR REPLACE FUNCTION app.settle(p_org text, p jsonb, p_result bytea) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v record;
  v_done text;
BEGIN
  v_done := set_config('app.org_id', p_org, true);
  UPDATE tool_request r SET status = p->>'status', error_code = p->>'errorCode', sealed_result = p_result, version = r.version + 1,
    updated_at = clock_timestamp(), finished_at = clock_timestamp(), lease_until = NULL
  WHERE r.id = p->>'requestId' AND r.status = 'executing' AND r.claim_token = p->>'token'
  RETURNING r.version, r.price_micros IS NOT NULL AS is_priced INTO v;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v.is_priced THEN v_done := app.settle_holds(p->>'requestId', p->>'status' <> 'failed')::text; END IF;
  v_done := app.write_audit(p->'audit')::text;
  IF p->>'status' = 'succeeded' AND jsonb_array_length(p->'targets') > 0 THEN
    INSERT INTO seen_target (org_id, agent_id, connection_id, target)
    SELECT p_org, p->>'agentId', p->>'connectionId', x FROM jsonb_array_elements_text(p->'targets') x ON CONFLICT DO NOTHING;
  END IF;
  IF jsonb_array_length(p->'labels') > 0 THEN
    UPDATE session s SET labels = s.labels || ARRAY(SELECT x FROM jsonb_array_elements_text(p->'labels') x WHERE x <> ALL (s.labels))
    WHERE s.id = p->>'sessionId';
  END IF;
  IF (p->>'tell')::boolean THEN v_done := app.tell('request', p->>'requestId')::text; END IF;
  RETURN v.version;
END $$;

GRANT EXECUTE ON FUNCTION app.refilled(double precision, timestamptz, int, int) TO countersign_app;
GRANT EXECUTE ON FUNCTION app.load_facts(text, text, text, text, text, text, text[], text, text, bigint) TO countersign_app;
