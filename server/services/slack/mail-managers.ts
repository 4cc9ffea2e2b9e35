import type { OrgSql } from "@/server/db/with-org";
import type { SlackProblem } from "@/server/domain/slack-problem";
import { queueMails } from "@/server/services/notices/queue";
import { recipientsOf } from "@/server/services/notices/recipients";

type Problem = {
  readonly kind: "slack_problem" | "slack_alerts_problem";
  readonly teamId: string;
  readonly problem: SlackProblem;
  readonly at: Date;
};

/** Slack cannot tell them. Put down with the problem itself: both are kept, or neither. */
export async function mailManagers(q: OrgSql, { kind, teamId, problem, at }: Problem): Promise<void> {
  const about = { kind, subjectId: teamId };
  const memberIds = await recipientsOf(q, about);
  await queueMails(q, { ...about, instance: `${problem}@${at.getTime()}`, memberIds });
}
