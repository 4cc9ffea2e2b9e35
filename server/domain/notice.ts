/** What people are mailed about. */
export const NOTICE_KINDS = [
  "approval_requested",
  "approval_reminder",
  "approval_escalated",
  "approval_ended",
  "approval_stuck",
  "outcome_unknown",
  "slack_problem",
  "slack_alerts_problem",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
type SlackNotice = Extract<NoticeKind, `slack_${string}`>;

type Words = { readonly subject: string; readonly says: string; readonly path: (subjectId: string) => string };

const approval = (id: string) => `/approvals/${id}`;

const WORDS: Readonly<Record<NoticeKind, Words>> = {
  approval_requested: {
    subject: "Something waits for your decision",
    says: "An agent asks for an approval that you could give.",
    path: approval,
  },
  approval_reminder: {
    subject: "Something still waits for your decision",
    says: "An approval that you could give still waits.",
    path: approval,
  },
  approval_escalated: {
    subject: "Something went on to you for a decision",
    says: "Nobody decided an approval in time, so it went on to your role.",
    path: approval,
  },
  approval_ended: {
    subject: "Something that waited for approval is over",
    says: "A request of one of your agents, which waited for a person, is over. The page says how it ended.",
    path: approval,
  },
  approval_stuck: {
    subject: "Nobody can approve something that waits",
    says: "A request waits for a person, and as things stand nobody can approve it. The page says what it takes.",
    path: approval,
  },
  outcome_unknown: {
    subject: "It is not known whether something was done",
    says: "A request broke off while it ran, and somebody has to say whether it was done.",
    path: (id) => `/requests/${id}`,
  },
  slack_problem: {
    subject: "Slack takes no approvals",
    says: "Approvals do not reach Slack. They go on in the web app; the page says what is wrong and what to do.",
    path: () => "/slack",
  },
  slack_alerts_problem: {
    subject: "Slack takes no alerts",
    says: "Alerts do not reach their channel in Slack. The page says what is wrong and what to do.",
    path: () => "/slack",
  },
};

/** Whether the personal setting for mails about approvals covers it. */
export const isAboutApprovals = (kind: NoticeKind): boolean => !isAboutSlack(kind);

/** Whether it is about what Slack does not take: for those who can mend it. */
export const isAboutSlack = (kind: NoticeKind): kind is SlackNotice =>
  kind === "slack_problem" || kind === "slack_alerts_problem";

/** A mail with a link and nothing of what is asked: no content, no agent's words, no names. */
export function noticeText(kind: NoticeKind, subjectId: string, publicUrl: string) {
  const { subject, says, path } = WORDS[kind];
  const why = isAboutApprovals(kind)
    ? `You get it because this does not reach you in Slack. Turn such mails off: ${publicUrl}/settings#mails`
    : "You get it because you manage this organization.";
  const text = `${says}\n\n  ${publicUrl}${path(subjectId)}\n\nWhat it is about is shown there alone. Answering this mail decides nothing.\n\n${why}\n`;
  return { subject: `Countersign: ${subject}`, text };
}
