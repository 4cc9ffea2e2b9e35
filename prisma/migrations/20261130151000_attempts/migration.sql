-- How often somebody tried to sign in, by address and by e-mail address, before it is known who it is: so it belongs to no
-- organization. Buckets are keyed hashes and name nobody. Unlogged: a crash may forget a quarter of an hour; the lock of an
-- account does not depend on it.
-- On an existing database: creates a table and functions, waits for nobody.

CREATE UNLOGGED TABLE app.attempt (
    bucket TEXT NOT NULL,
    window_start TIMESTAMPTZ(3) NOT NULL,
    count INTEGER NOT NULL,

    CONSTRAINT attempt_pkey PRIMARY KEY (bucket)
);
CREATE INDEX attempt_window ON app.attempt (window_start);
GRANT SELECT, INSERT, UPDATE, DELETE ON app.attempt TO countersign_app;

-- Counts one attempt. Returns 0, or the seconds until the window ends when there were too many. Old windows are swept on the
-- way, so that the table holds no more than was tried within the last hour or so.
CREATE FUNCTION app.take_attempt(p_bucket text, p_limit int, p_seconds int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_count int;
  v_start timestamptz;
BEGIN
  DELETE FROM app.attempt WHERE bucket IN (
    SELECT a.bucket FROM app.attempt a WHERE a.window_start < v_now - interval '1 hour' AND a.bucket <> p_bucket
    ORDER BY a.window_start LIMIT 10 FOR UPDATE SKIP LOCKED);
  INSERT INTO app.attempt AS a (bucket, window_start, count) VALUES (p_bucket, v_now, 1)
  ON CONFLICT (bucket) DO UPDATE SET
    count = CASE WHEN a.window_start <= v_now - p_seconds * interval '1 second' THEN 1 ELSE LEAST(a.count, p_limit) + 1 END,
    window_start = CASE WHEN a.window_start <= v_now - p_seconds * interval '1 second' THEN v_now ELSE a.window_start END
  RETURNING a.count, a.window_start INTO v_count, v_start;
  RETURN CASE WHEN v_count <= p_limit THEN 0
    ELSE GREATEST(1, ceil(extract(epoch FROM v_start + p_seconds * interval '1 second' - clock_timestamp())))::int END;
END $$;

-- Takes an attempt back that turned out to be rightful.
CREATE FUNCTION app.return_attempt(p_bucket text) RETURNS void LANGUAGE sql AS $$
  UPDATE app.attempt SET count = GREATEST(count - 1, 0) WHERE bucket = p_bucket
$$;

GRANT EXECUTE ON FUNCTION app.take_attempt(text, int, int), app.return_attempt(text) TO countersign_app;
