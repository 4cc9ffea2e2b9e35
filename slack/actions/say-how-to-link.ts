import type { App } from "@slack/bolt";
import { env } from "@/server/env";

/** `/countersign`: where people link themselves, and unlink. Nothing that is typed in Slack links anybody. */
export function listenToCommands(app: App): void {
  app.command("/countersign", ({ ack }) =>
    ack({
      response_type: "ephemeral",
      text: `You link yourself in Countersign, signed in there: ${env().PUBLIC_URL}/slack`,
    }),
  );
}
