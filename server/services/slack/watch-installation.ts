import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { SLACK_PROBLEMS, type SlackProblem } from "@/server/domain/slack-problem";
import { command } from "@/server/services/command";
import { noteProblem, removeWorkspace } from "@/server/services/slack/remove-workspace";
import { teamIdSchema, userIdSchema } from "@/server/services/slack/slack-ids";

/** Slack says that the app was removed: the installation is out of use from now on. */
export const noteUninstalled = command({
  name: "slack.note_uninstalled",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ teamId: teamIdSchema }),
  run: (actor, { teamId }): Promise<boolean> =>
    withOrgSql(actor.orgId, (q) => removeWorkspace(q, actor, { teamId, why: "uninstalled" })),
});

/** Slack says that bots' tokens were revoked: ours is forgotten if it is among them. */
export const noteRevoked = command({
  name: "slack.note_revoked",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ teamId: teamIdSchema, bots: z.array(userIdSchema).max(100) }),
  run: (actor, { teamId, bots }): Promise<void> =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query("SELECT 1 FROM slack_workspace WHERE team_id = $1 AND bot_user_id = ANY ($2)", [
        teamId,
        bots,
      ]);
      if (rows.length > 0) await noteProblem(q, actor, { teamId, problem: "token_revoked", forgetToken: true });
    }),
});

const problems = Object.keys(SLACK_PROBLEMS) as [SlackProblem, ...SlackProblem[]];

/** Notes why Slack takes nothing from us, for admins to see; null once it does again. */
export const noteSlackProblem = command({
  name: "slack.note_problem",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ teamId: teamIdSchema, problem: z.enum(problems).nullable() }),
  run: (actor, { teamId, problem }): Promise<void> =>
    withOrgSql(actor.orgId, (q) => noteProblem(q, actor, { teamId, problem })),
});
