import type { App } from "@slack/bolt";
import { AppError } from "@/server/domain/errors";
import { redeemLinkCode } from "@/server/services/slack/link";
import { systemActor } from "@/server/services/system-actor";
import { wordsFor } from "@/slack/actions/answer";
import { objectionTo } from "@/slack/admit";
import { contextSchema } from "@/slack/listen-context";

const HOW = "Sign in to Countersign, make a link code, and type /countersign link with it.";

/** `/countersign link CODE`: the person whom Slack vouches for is the member who made the code. */
export function listenToCommands(app: App): void {
  app.command("/countersign", async ({ ack, command, context, client }) => {
    const tell = (text: string) => ack({ response_type: "ephemeral", text });
    const [verb, code, ...rest] = command.text.trim().split(/\s+/);
    if (verb !== "link" || code === undefined || rest.length > 0) return tell(HOW);
    try {
      const { user_id: userId } = command;
      const { orgId, teamId } = contextSchema.parse(context);
      if ((await objectionTo(client, teamId, userId)) !== null) {
        throw new AppError("forbidden", "Only full members of this workspace can be linked.");
      }
      await redeemLinkCode(systemActor(orgId, "slack"), { teamId, userId, code });
      return await tell("You are linked. You can decide here what your role lets you decide.");
    } catch (error) {
      return await tell(wordsFor(error));
    }
  });
}
