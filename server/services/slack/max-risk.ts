import type { OrgSql } from "@/server/db/with-org";
import { type SlackMaxRisk, slackMaxRiskSchema } from "@/server/domain/slack-risk";

/** The highest risk that the organization lets people approve in Slack at this moment. */
export async function readSlackMaxRisk(q: OrgSql): Promise<SlackMaxRisk> {
  const { rows } = await q.query<{ slack_max_risk: string }>("SELECT slack_max_risk FROM organization");
  return slackMaxRiskSchema.parse(rows[0]?.slack_max_risk);
}
