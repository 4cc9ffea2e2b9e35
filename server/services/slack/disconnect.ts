import { z } from "zod";
import { revokeToken } from "@/server/connectors/slack/revoke";
import { withOrgSql } from "@/server/db/with-org";
import { env } from "@/server/env";
import { command } from "@/server/services/command";
import { readWorkspace } from "@/server/services/slack/read-workspace";
import { removeWorkspace } from "@/server/services/slack/remove-workspace";
import { teamIdSchema } from "@/server/services/slack/slack-ids";

/** The answer, as OpenAPI describes it. */
export const disconnectedSchema = z.strictObject({
  teamId: z.string(),
  isRevoked: z.boolean().describe("Whether Slack confirmed that the token is worth nothing now."),
});

/**
 * Disconnects a workspace: its token is forgotten here before Slack is asked to revoke it, so that nothing is posted or
 * decided there from now on. Approvals go on in the web app.
 */
export const disconnectSlack = command({
  name: "slack.disconnect",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ teamId: teamIdSchema }),
  run: async (actor, { teamId }) => {
    const { token } = await readWorkspace(actor.orgId, teamId);
    await withOrgSql(actor.orgId, (q) => removeWorkspace(q, actor, { teamId, why: "disconnected" }));
    const isRevoked = token !== null && (await revokeToken(env().SLACK_API_URL, token.expose()));
    return { teamId, isRevoked };
  },
});
