import type { App } from "@slack/bolt";
import { z } from "zod";
import { userIdSchema } from "@/server/services/slack/slack-ids";
import { contextSchema } from "@/slack/listen-context";
import { publishHome } from "@/slack/publish-home";

const openedSchema = z.looseObject({ user: userIdSchema, tab: z.string().max(20) });

/** Whoever opens the app's home sees their queue as it is at that moment. */
export function listenToHome(app: App): void {
  app.event("app_home_opened", async ({ context, event, client }) => {
    const { user, tab } = openedSchema.parse(event);
    if (tab === "home") await publishHome(client, { ...contextSchema.parse(context), userId: user });
  });
}
