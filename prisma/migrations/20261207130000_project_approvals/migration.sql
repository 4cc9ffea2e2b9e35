-- What a project asks, and what a rule wants so, waits for a person without expiring: both columns are then NULL.
-- Locks: task and approval are altered under an exclusive lock without being rewritten; the check reads approval once.

-- `interactive`: somebody waits for the run. `project`: nobody does, so nothing is lost by waiting.
ALTER TABLE task
  ADD COLUMN kind TEXT NOT NULL DEFAULT 'interactive',
  ADD CONSTRAINT task_kind_check CHECK (kind IN ('interactive', 'project'));

ALTER TABLE approval
  ALTER COLUMN expires_at DROP NOT NULL,
  ALTER COLUMN lifetime_seconds DROP NOT NULL,
  ADD CONSTRAINT approval_lifetime_check CHECK ((expires_at IS NULL) = (lifetime_seconds IS NULL));

-- The sweep finds whom nobody was reminded of for an hour.
CREATE INDEX approval_reminds ON approval (COALESCE(reminded_at, created_at)) WHERE status = 'pending' AND expires_at IS NULL;
