-- Owners and who asked are mailed about what nobody can approve. A check alone: the table is read once.
ALTER TABLE mail_notice DROP CONSTRAINT mail_notice_kind_check;
ALTER TABLE mail_notice ADD CONSTRAINT mail_notice_kind_check CHECK (kind IN ('approval_requested', 'approval_reminder',
  'approval_escalated', 'approval_ended', 'approval_stuck', 'outcome_unknown', 'slack_problem', 'slack_alerts_problem'));
