import { connectedSlackSchema, connectSlack } from "@/server/services/slack/connect";
import { createLinkCode, linkCodeSchema } from "@/server/services/slack/link";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Slack"] as const;

export const slackRouter = router({
  connect: procedureOf(connectSlack, {
    method: "POST",
    path: "/slack/workspaces",
    summary: "Connect a Slack workspace, or change its token and channel.",
    tags,
    output: connectedSlackSchema,
    example: { token: "xoxb-\u2026", channelId: "C0123456789" },
  }),
  createLinkCode: procedureOf(createLinkCode, {
    method: "POST",
    path: "/me/slack-link-codes",
    summary: "Make the code with which you link yourself in Slack, shown once.",
    tags,
    successStatuses: [201],
    output: linkCodeSchema,
  }),
});
