import { App, type Authorize, LogLevel, type Receiver } from "@slack/bolt";
import { env } from "@/server/env";
import { slackMode } from "@/server/services/slack/slack-app";
import { installationOf } from "@/server/services/slack/take-call";
import { openWorkspace } from "@/server/services/slack/workspaces";
import { systemActor } from "@/server/services/system-actor";
import { listenToCards } from "@/slack/actions/decide-approval";
import { listenToCommands } from "@/slack/actions/run-command";
import { listenToHome } from "@/slack/actions/show-home";
import { listenToInstallations } from "@/slack/actions/watch-installation";
import { FetchReceiver } from "@/slack/receiver";
import type { KeepAlive } from "@/slack/take";
import { clientOptions, quietLogger } from "@/slack/web-client";

/** Together with the decision it must stay below the three seconds in which Slack wants an answer. */
const CALL_TIMEOUT_MS = 1_200;

const authorize: Authorize<boolean> = async ({ teamId, enterpriseId, isEnterpriseInstall }) => {
  const named = isEnterpriseInstall ? [enterpriseId, teamId] : [teamId, enterpriseId];
  const found = await installationOf(named.flatMap((id) => id ?? []));
  if (found === null) throw new Error("nobody connected this workspace");
  const { token, botId, botUserId } = await openWorkspace(systemActor(found.orgId, "slack"), { teamId: found.teamId });
  return { botToken: token.expose(), botId, botUserId, ...(teamId === undefined ? {} : { teamId }) };
};

/** Our listeners behind a receiver: the same ones however Slack calls. */
export async function startApp<T extends Receiver>(receiver: T): Promise<T> {
  const app = new App({
    receiver,
    authorize,
    logger: quietLogger,
    logLevel: LogLevel.ERROR,
    clientOptions: clientOptions(CALL_TIMEOUT_MS),
    deferInitialization: true,
  });
  listenToCards(app);
  listenToCommands(app);
  listenToHome(app);
  listenToInstallations(app);
  await app.init();
  return receiver;
}

let started: { readonly secret: string; readonly receiver: Promise<FetchReceiver> } | undefined;

/** Answers what Slack calls. Without a signing secret, or where Slack calls over a socket, there is nothing here. */
export async function handleSlack(request: Request, keepAlive: KeepAlive = () => undefined): Promise<Response> {
  const secret = env().SLACK_SIGNING_SECRET;
  if (secret === undefined || slackMode() !== "http") return new Response(null, { status: 404 });
  if (started?.secret !== secret) started = { secret, receiver: startApp(new FetchReceiver(secret)) };
  return (await started.receiver).handle(request, keepAlive);
}
