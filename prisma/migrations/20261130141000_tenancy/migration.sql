-- Who may touch what: roles, row-level security, and the triggers that nobody can forget to call.
-- On an empty database: takes no lock that anybody waits for.

-- The serving roles. An operator who wants passwords creates them first; a role made here cannot log in.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'countersign_app') THEN
    CREATE ROLE countersign_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'countersign_system') THEN
    CREATE ROLE countersign_system NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
END $$;

CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app TO countersign_app, countersign_system;
GRANT USAGE ON SCHEMA public TO countersign_app, countersign_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA app REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- The organization of this transaction. After a commit the setting is '' rather than unset.
CREATE FUNCTION app.org_id() RETURNS text LANGUAGE sql STABLE
  AS $$ SELECT NULLIF(current_setting('app.org_id', true), '') $$;
GRANT EXECUTE ON FUNCTION app.org_id() TO countersign_app, countersign_system;

-- Row-level security, enabled and forced, on every table with an organization column.
DO $$
DECLARE t text;
BEGIN
  FOR t IN
    SELECT c.table_name FROM information_schema.columns c
    JOIN information_schema.tables b USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND c.column_name = 'org_id' AND b.table_type = 'BASE TABLE'
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()))', t);
  END LOOP;
END $$;
ALTER TABLE organization ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organization TO countersign_app USING (id = (SELECT app.org_id())) WITH CHECK (id = (SELECT app.org_id()));
ALTER TABLE deployment_control ENABLE ROW LEVEL SECURITY;
ALTER TABLE deployment_control FORCE ROW LEVEL SECURITY;
CREATE POLICY readable ON deployment_control FOR SELECT TO countersign_app, countersign_system USING (true);
CREATE POLICY leased ON deployment_control TO countersign_system USING (true) WITH CHECK (true);

-- The application. What is recorded once cannot be changed by it; nothing of a tenant can be deleted by it
-- but what stands for a present state (a trusted destination, a setting of a value to be erased).
GRANT SELECT, INSERT, UPDATE ON organization, department, member, sign_in, setup_link, personal_token, agent, agent_key,
  connection, credential, agent_grant, grant_usage, rule, control_state, session, task, tool_request, approval, budget,
  reservation, rate_bucket, refusal_count TO countersign_app;
GRANT SELECT, INSERT ON data_key, rule_set, decision, seen_target, audit_event, audit_seal, audit_checkpoint, audit_personal
  TO countersign_app;
GRANT SELECT, INSERT, DELETE ON trusted_destination TO countersign_app;
GRANT SELECT ON deployment_control TO countersign_app;

-- The system role: ids and due times across tenants, no content.
GRANT SELECT (id) ON organization TO countersign_system;
GRANT SELECT (id, org_id, email) ON member TO countersign_system;
GRANT SELECT (id, org_id, status, runs_at, lease_until, claimed_at) ON tool_request TO countersign_system;
GRANT SELECT (id, org_id, request_id, status, expires_at, is_held, reminded_at, created_at) ON approval TO countersign_system;
GRANT SELECT (id, org_id) ON audit_event TO countersign_system;
GRANT SELECT (org_id, event_id) ON audit_seal TO countersign_system;
GRANT SELECT (org_id, minute, recorded_at) ON refusal_count TO countersign_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON deployment_control TO countersign_system;
CREATE POLICY across ON organization FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON member FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON tool_request FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON approval FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON audit_event FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON audit_seal FOR SELECT TO countersign_system USING (true);
CREATE POLICY across ON refusal_count FOR SELECT TO countersign_system USING (true);

-- The record cannot be rewritten, by whoever forgets that it must not be.
CREATE FUNCTION app.refuse_change() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_event FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_seal FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_checkpoint FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON decision FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON rule_set FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON audit_seal FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON audit_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();

-- Session labels only grow.
CREATE FUNCTION app.keep_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.labels @> OLD.labels THEN
    RAISE EXCEPTION 'session labels only grow' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER labels_grow BEFORE UPDATE ON session FOR EACH ROW EXECUTE FUNCTION app.keep_labels();

-- Every change of what the checks read moves the organization's policy version; a claim decided under another is stale.
CREATE FUNCTION app.bump_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organization SET policy_version = policy_version + 1
  WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.org_id ELSE NEW.org_id END;
  RETURN NULL;
END $$;
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['control_state', 'agent_grant', 'trusted_destination', 'rule_set', 'connection', 'agent', 'credential']
  LOOP
    EXECUTE format('CREATE TRIGGER policy AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION app.bump_policy()', t);
  END LOOP;
END $$;
CREATE TRIGGER policy AFTER INSERT OR UPDATE OF role, disabled_at ON member FOR EACH ROW EXECUTE FUNCTION app.bump_policy();
CREATE TRIGGER policy AFTER INSERT OR UPDATE OF revoked_at, expires_at ON agent_key FOR EACH ROW EXECUTE FUNCTION app.bump_policy();
CREATE TRIGGER policy AFTER INSERT OR UPDATE OF cap_micros ON budget FOR EACH ROW EXECUTE FUNCTION app.bump_policy();
CREATE FUNCTION app.bump_own_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.policy_version := OLD.policy_version + 1; RETURN NEW; END $$;
CREATE TRIGGER policy BEFORE UPDATE OF rule_version, undo_seconds ON organization FOR EACH ROW EXECUTE FUNCTION app.bump_own_policy();
