-- State of the Inngest engine for one machine: its queue, timers, runs and memoized steps. Ids and outcomes, no content.
-- Locks: none on what exists; every object here is new.
-- Documents are text, not jsonb: jsonb refuses \u0000 and reorders keys, and nothing queries inside them.

DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'countersign_system') THEN
    CREATE ROLE countersign_system NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  END IF;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

CREATE SCHEMA inngest_local;

CREATE TABLE inngest_local.events (
  internal_id text PRIMARY KEY,
  name text NOT NULL,
  document text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX events_received_at ON inngest_local.events (received_at);

CREATE TABLE inngest_local.runs (
  id text PRIMARY KEY,
  function_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
  event text NOT NULL,
  state text NOT NULL,
  output text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((status = 'running') = (ended_at IS NULL))
);
CREATE INDEX runs_function ON inngest_local.runs (function_id, started_at);
CREATE INDEX runs_ended_at ON inngest_local.runs (ended_at) WHERE ended_at IS NOT NULL;

-- seq is the order of completion, which decides races when a run is replayed.
CREATE TABLE inngest_local.steps (
  run_id text NOT NULL REFERENCES inngest_local.runs ON DELETE CASCADE,
  step_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  value text NOT NULL,
  PRIMARY KEY (run_id, step_id)
);

-- One queue for everything that is due at some time: discoveries, steps, sleeps, time-outs, events and schedules.
CREATE TABLE inngest_local.items (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('discovery', 'step', 'sleep', 'timeout', 'event', 'cron')),
  run_id text REFERENCES inngest_local.runs ON DELETE CASCADE,
  run_at timestamptz NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  lapses integer NOT NULL DEFAULT 0,
  limit_keys text[] NOT NULL DEFAULT '{}',
  limits integer[] NOT NULL DEFAULT '{}',
  payload text NOT NULL,
  lease text,
  lease_until timestamptz,
  CHECK ((lease IS NULL) = (lease_until IS NULL)),
  CHECK (cardinality(limit_keys) = cardinality(limits))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
CREATE INDEX items_due ON inngest_local.items (run_at, id);
CREATE INDEX items_leased ON inngest_local.items (lease_until) WHERE lease IS NOT NULL;
CREATE INDEX items_run ON inngest_local.items (run_id) WHERE run_id IS NOT NULL;

-- match_value narrows who may be waiting for an event; NULL means that the condition must be evaluated.
CREATE TABLE inngest_local.pauses (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('wait', 'cancel', 'invoke')),
  run_id text NOT NULL REFERENCES inngest_local.runs ON DELETE CASCADE,
  event text NOT NULL,
  match_value text,
  document text NOT NULL
);
CREATE INDEX pauses_event ON inngest_local.pauses (event, match_value);
CREATE INDEX pauses_run ON inngest_local.pauses (run_id);

-- One run per function and event id, for a day.
CREATE TABLE inngest_local.keys (
  function_id text NOT NULL,
  key text NOT NULL,
  run_id text NOT NULL,
  claimed_at timestamptz NOT NULL,
  PRIMARY KEY (function_id, key)
);
CREATE INDEX keys_claimed_at ON inngest_local.keys (claimed_at);

GRANT USAGE ON SCHEMA inngest_local TO countersign_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA inngest_local TO countersign_system;
