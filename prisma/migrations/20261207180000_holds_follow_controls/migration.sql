-- What waits for a person is held while a control stops it, whichever control: its time stands still, and begins anew when
-- the last of them is lifted. Triggers alone: each table is held for a moment.

-- Whether a control stops a request at this moment. A freeze holds whatever waits, reads too: what was decided before it is asked again.
CREATE FUNCTION app.is_stopped(p_request text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM tool_request r
    JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
    JOIN control_state s ON s.org_id = r.org_id
    WHERE r.org_id = app.org_id() AND r.id = p_request
      AND (g.paused_at IS NOT NULL OR s.kill_level IS NOT NULL OR r.action = ANY (s.actions_off) OR split_part(r.action, '.', 1) = ANY (s.actions_off)
        OR (r.effect = 'write' AND (s.read_only OR g.read_only))))
$$;
GRANT EXECUTE ON FUNCTION app.is_stopped(text) TO countersign_app;

CREATE FUNCTION app.hold_with_controls() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v record;
BEGIN
  UPDATE approval SET is_held = true
  WHERE org_id = NEW.org_id AND status = 'pending' AND NOT is_held AND app.is_stopped(request_id);
  FOR v IN
    UPDATE approval SET is_held = false, expires_at = clock_timestamp() + lifetime_seconds * interval '1 second'
    WHERE org_id = NEW.org_id AND status = 'pending' AND is_held AND NOT app.is_stopped(request_id) RETURNING id, request_id
  LOOP
    UPDATE tool_request SET blocked_check = NULL, blocked_code = NULL
    WHERE org_id = NEW.org_id AND id = v.request_id AND blocked_check = 'controls';
    PERFORM app.tell('approval', v.id), app.tell('request', v.request_id);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER holds AFTER UPDATE OF kill_level, read_only, actions_off ON control_state FOR EACH ROW EXECUTE FUNCTION app.hold_with_controls();
CREATE TRIGGER holds AFTER UPDATE OF paused_at, read_only ON agent FOR EACH ROW
  WHEN (OLD.paused_at IS DISTINCT FROM NEW.paused_at OR OLD.read_only IS DISTINCT FROM NEW.read_only)
  EXECUTE FUNCTION app.hold_with_controls();
