import type { App } from "@slack/bolt";
import { z } from "zod";
import { userIdSchema } from "@/server/services/slack/slack-ids";
import { noteRevoked, noteUninstalled } from "@/server/services/slack/watch-installation";
import { systemActor } from "@/server/services/system-actor";
import { contextSchema } from "@/slack/listen-context";

const revokedSchema = z.looseObject({ tokens: z.looseObject({ bot: z.array(userIdSchema).max(100).nullish() }) });

/** The app was removed from a workspace, or its token revoked: Slack says so, signed like everything else. */
export function listenToInstallations(app: App): void {
  app.event("app_uninstalled", async ({ context }) => {
    const { orgId, teamId } = contextSchema.parse(context);
    await noteUninstalled(systemActor(orgId, "slack"), { teamId });
  });
  app.event("tokens_revoked", async ({ context, event }) => {
    const { orgId, teamId } = contextSchema.parse(context);
    const bots = revokedSchema.parse(event).tokens.bot ?? [];
    await noteRevoked(systemActor(orgId, "slack"), { teamId, bots });
  });
}
