import { z } from "zod";
import { exchangeInstall, installAddress } from "@/server/connectors/slack/oauth";
import { withOrgSql } from "@/server/db/with-org";
import { command } from "@/server/services/command";
import {
  beginRoundTrip,
  codeSchema,
  endRoundTrip,
  requireSignIn,
  stateSchema,
} from "@/server/services/slack/round-trip";
import { slackApp } from "@/server/services/slack/slack-app";
import { storeWorkspace } from "@/server/services/slack/store-workspace";

/** Where the admin's browser goes next. */
export const addressSchema = z.strictObject({ url: z.string().describe("Open this address in the same browser.") });

/** Begins an installation: Slack asks the admin, and sends the browser back. Throws `slack_not_configured`, `sign_in_only`. */
export const startInstall = command({
  name: "slack.start_install",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({}),
  run: async (actor) => {
    requireSignIn(actor);
    const app = slackApp();
    const { state } = await withOrgSql(actor.orgId, (q) => beginRoundTrip(q, actor, "install"));
    return { url: installAddress(app, state) };
  },
});

/**
 * Ends an installation that this very sign-in began: the code is exchanged and the token sealed. Throws
 * `slack_state_invalid`, `slack_refused`, `already_exists`.
 */
export const finishInstall = command({
  name: "slack.finish_install",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ state: stateSchema, code: codeSchema }),
  run: async (actor, { state, code }) => {
    requireSignIn(actor);
    await endRoundTrip(actor, "install", state);
    return storeWorkspace(actor, await exchangeInstall(slackApp(), code));
  },
});
