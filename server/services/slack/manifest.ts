import { z } from "zod";
import { slackManifest } from "@/server/domain/slack-app";
import { env } from "@/server/env";
import { command } from "@/server/services/command";
import { slackMode } from "@/server/services/slack/slack-app";

/** The manifest from which Slack makes the app for this deployment. It holds no secret. */
export const getSlackManifest = command({
  name: "slack.manifest",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({}),
  run: async () => slackManifest(env().PUBLIC_URL, slackMode()),
});

/** The answer, as OpenAPI describes it. */
export const slackManifestSchema = z
  .looseObject({ display_information: z.looseObject({ name: z.string() }) })
  .describe("As Slack's manifest reference describes it.");
