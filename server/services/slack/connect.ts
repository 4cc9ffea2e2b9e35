import { z } from "zod";
import { inspectWorkspace } from "@/server/connectors/slack/inspect";
import { env } from "@/server/env";
import { command } from "@/server/services/command";
import { channelIdSchema } from "@/server/services/slack/slack-ids";
import { storeWorkspace } from "@/server/services/slack/store-workspace";

const input = z.strictObject({
  token: z
    .string()
    .max(300)
    .regex(/^xoxb-[A-Za-z0-9-]+$/, "must be a bot's token, xoxb-…"),
  channelId: channelIdSchema,
});

/**
 * Connects the workspace that the bot's token belongs to, or changes its token and channel. Slack itself says which
 * workspace that is. One that another organization connected stays theirs. Throws `slack_refused`, `already_exists`.
 */
export const connectSlack = command({
  name: "slack.connect",
  callers: ["member"],
  permission: "organization:manage",
  input,
  run: async (actor, { token, channelId }) => {
    const { isOpenChannel, ...found } = await inspectWorkspace({ token, channelId, apiUrl: env().SLACK_API_URL });
    return storeWorkspace(actor, { ...found, token, channel: { id: channelId, isOpen: isOpenChannel } });
  },
});

/** The answer, as OpenAPI describes it. */
export const connectedSlackSchema = z.strictObject({
  teamId: z.string(),
  channelId: z.string().nullable(),
  isOpenChannel: z.boolean().describe("A public or shared channel gets links, never what is asked."),
});
