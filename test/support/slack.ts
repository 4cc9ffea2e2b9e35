import { createServer } from "node:http";
import { BlockList } from "node:net";
import { setTimeout } from "node:timers/promises";
import { startSlack } from "@/server/cli/demo/slack";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { DEMO_CLIENT_ID, demoClientSecret } from "@/server/cli/demo/slack-oauth";
import { DEMO_APP_TOKEN } from "@/server/cli/demo/slack-sockets";
import { DEMO_BOT_TOKEN, type DemoSlack } from "@/server/cli/demo/slack-workspace";
import { withOrgSql } from "@/server/db/with-org";
import type { SlackMode } from "@/server/domain/slack-app";
import { env, overrideEnv } from "@/server/env";
import { frontListener } from "@/server/http/front";
import { failureResponse } from "@/server/http/problem";
import { handleSlackCallback } from "@/server/http/slack-callback";
import { connectSlack } from "@/server/services/slack/connect";
import { socketState } from "@/server/services/slack/socket-state";
import { storeLink } from "@/server/services/slack/store-link";
import { systemActor } from "@/server/services/system-actor";
import { handleSlack } from "@/slack/app";
import { startSocket } from "@/slack/keep-socket";
import { SLACK_BODY_LIMIT } from "@/slack/receiver";
import type { TestOrganization, TestPerson } from "@/test/support/organization";

const SIGNING_SECRET = "a-signing-secret-of-the-tests";

export type RunningSlackTest = {
  readonly slack: DemoSlack;
  /** Where our server takes Slack's calls. */
  readonly appUrl: string;
  readonly connect: (org: TestOrganization) => Promise<void>;
  readonly link: (userId: string, person: TestPerson) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Options = { readonly perSecond?: number; readonly mode?: SlackMode };

/** Our front with Slack's mount alone, and a Slack of our own that calls it in that mode; `env()` then names both. */
export async function runSlack({ perSecond = 10_000, mode = "http" }: Options = {}): Promise<RunningSlackTest> {
  const server = createServer(
    frontListener({
      publicUrl: env().PUBLIC_URL,
      isLoopbackOnly: false,
      trusted: new BlockList(),
      mounts: [
        { prefix: "/api/slack/oauth/callback", handler: handleSlackCallback },
        { prefix: "/api/slack", handler: (request) => handleSlack(request), bodyLimit: SLACK_BODY_LIMIT },
      ],
      pages: async (_incoming, outgoing) => void outgoing.writeHead(404).end(),
      closing: new AbortController().signal,
      onFailure: (error) => failureResponse(error, { requestId: "test" }),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const appUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const isSocketMode = mode === "socket";
  const secrets = { team: "T_TEST", signingSecret: SIGNING_SECRET };
  const running = await startSlack({ port: 0, ...secrets, appUrl, perSecond, isSocketMode });
  overrideEnv({
    PUBLIC_URL: appUrl,
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_CLIENT_ID: DEMO_CLIENT_ID,
    SLACK_CLIENT_SECRET: demoClientSecret(SIGNING_SECRET),
    SLACK_API_URL: `${running.origin}/api/`,
    SLACK_APP_TOKEN: isSocketMode ? DEMO_APP_TOKEN : undefined,
  });
  const socket = startSocket();
  while (isSocketMode && socketState()?.isConnected !== true) await setTimeout(10);
  return {
    slack: running.slack,
    appUrl,
    connect: async (org) => {
      await connectSlack(org.admin.actor, { token: DEMO_BOT_TOKEN, channelId: DEMO_CHANNEL });
    },
    link: async (userId, person) => {
      const { orgId, memberId } = person.actor;
      const link = { teamId: running.slack.team, userId, memberId, at: new Date() };
      await withOrgSql(orgId, (q) => storeLink(q, systemActor(orgId, "test"), link));
    },
    close: async () => {
      await socket.stop();
      await running.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
