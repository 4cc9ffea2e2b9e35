-- Notices by e-mail: what is still to be mailed to whom, and whether a person wants those about approvals. The new column
-- has a constant default: member is held for a moment and not rewritten. The reference takes a lock on it for a moment.

ALTER TABLE member ADD COLUMN approval_mails BOOLEAN NOT NULL DEFAULT true;

-- One mail of one notice for one person. `notice` names what happened, so that telling twice mails once; `subject_id` is
-- the approval, request or workspace it is about. `lease_until`: somebody is at it, or it is not to be tried before.
CREATE TABLE mail_notice (
    org_id TEXT NOT NULL,
    notice TEXT NOT NULL,
    member_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'due',
    attempts INTEGER NOT NULL DEFAULT 0,
    lease_until TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ended_at TIMESTAMPTZ(3),

    CONSTRAINT mail_notice_pkey PRIMARY KEY (org_id,notice,member_id),
    CONSTRAINT mail_notice_status_check CHECK (status IN ('due', 'sent', 'dropped')),
    CONSTRAINT mail_notice_kind_check CHECK (kind IN ('approval_requested', 'approval_reminder', 'approval_escalated', 'approval_ended', 'outcome_unknown', 'slack_problem'))
);
CREATE INDEX mail_notice_status_created_at_idx ON mail_notice(status, created_at);
ALTER TABLE mail_notice ADD CONSTRAINT mail_notice_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id) ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE mail_notice ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_notice FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON mail_notice TO countersign_app USING (org_id = (SELECT app.org_id())) WITH CHECK (org_id = (SELECT app.org_id()));
GRANT SELECT, INSERT, UPDATE ON mail_notice TO countersign_app;

-- The system role finds organizations with something to mail.
GRANT SELECT (org_id, status, created_at, lease_until) ON mail_notice TO countersign_system;
CREATE POLICY across ON mail_notice FOR SELECT TO countersign_system USING (true);
