import { z } from "zod";
import { exchangeSignIn, type SignedIn, signInAddress } from "@/server/connectors/slack/oauth";
import { isMemberOf } from "@/server/connectors/slack/person";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { presentedPasswordSchema } from "@/server/domain/password";
import { env } from "@/server/env";
import { command } from "@/server/services/command";
import { proveAnew } from "@/server/services/identity/fresh-proof";
import {
  beginRoundTrip,
  codeSchema,
  endRoundTrip,
  requireSignIn,
  stateSchema,
} from "@/server/services/slack/round-trip";
import { slackApp } from "@/server/services/slack/slack-app";
import { teamIdSchema, userIdSchema } from "@/server/services/slack/slack-ids";
import { storeLink } from "@/server/services/slack/store-link";
import { openWorkspace } from "@/server/services/slack/workspaces";
import { systemActor } from "@/server/services/system-actor";

/**
 * Begins to link a signed-in person who gave their password once more: Slack asks them who they are there, and sends
 * the browser back. Throws `wrong_password`, `account_locked`, `slack_not_configured`, `sign_in_only`.
 */
export const startLink = command({
  name: "slack.start_link",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ password: presentedPasswordSchema }),
  run: async (actor, { password }) => {
    requireSignIn(actor);
    const app = slackApp();
    await proveAnew(actor, password);
    const { state, nonce } = await withOrgSql(actor.orgId, (q) => beginRoundTrip(q, actor, "link"));
    return { url: signInAddress(app, state, nonce) };
  },
});

const refused = (reason: string, message: string) => new AppError("refused", message, { reason });

/**
 * Links whom Slack signed in to whoever began this in the same browser. Nothing is matched by name or e-mail. Throws
 * `slack_state_invalid`, `slack_refused`, `slack_other_workspace`, `slack_not_admitted`.
 */
export const finishLink = command({
  name: "slack.finish_link",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ state: stateSchema, code: codeSchema }),
  run: async (actor, { state, code }) => {
    requireSignIn(actor);
    const { isNonce } = await endRoundTrip(actor, "link", state);
    const signedIn = await exchangeSignIn(slackApp(), code);
    if (!isNonce(signedIn.nonce)) throw refused("slack_refused", "Slack did not confirm it. Start again.");
    const userId = userIdSchema.parse(signedIn.userId);
    const teamId = await installationOf(actor, signedIn);
    return withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ now: Date }>(
        "SELECT clock_timestamp() AS now FROM member WHERE id = $1 AND disabled_at IS NULL FOR SHARE",
        [actor.memberId],
      );
      const at = rows[0]?.now;
      if (at === undefined) throw refused("slack_disabled", "Your account is disabled.");
      await storeLink(q, actor, { teamId, userId, memberId: actor.memberId, at });
      return { teamId, userId };
    });
  },
});

/** The installation of this organization in which Slack says now that the person is a full member. */
async function installationOf(actor: MemberActor, { teamId, userId }: SignedIn): Promise<string> {
  const team = teamIdSchema.parse(teamId);
  const { rows } = await withOrgSql(actor.orgId, (q) =>
    q.query<{ team_id: string }>(
      `SELECT team_id FROM slack_workspace WHERE removed_at IS NULL AND sealed_token IS NOT NULL
         AND (team_id = $1 OR team_id LIKE 'E%') ORDER BY team_id = $1 DESC`,
      [team],
    ),
  );
  if (rows.length === 0) {
    throw refused("slack_other_workspace", "Your organization has not connected the workspace you signed in to.");
  }
  const system = systemActor(actor.orgId, "slack");
  for (const { team_id: installation } of rows) {
    const { token } = await openWorkspace(system, { teamId: installation });
    const apiUrl = env().SLACK_API_URL;
    if (await isMemberOf({ apiUrl, token: token.expose(), installation, userId })) return installation;
  }
  throw refused("slack_not_admitted", "Only full members of a connected workspace can be linked.");
}
