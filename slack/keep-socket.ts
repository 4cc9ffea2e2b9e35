import { setTimeout } from "node:timers/promises";
import { WebAPIPlatformError } from "@slack/web-api";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { slackMode } from "@/server/services/slack/slack-app";
import { noteSocket } from "@/server/services/slack/socket-state";
import { startApp } from "@/slack/app";
import { SocketReceiver } from "@/slack/socket";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** What ended sooner counts as a failure, so that nobody reconnects in a circle. */
const LASTED_MS = 5_000;

const waitOf = (failures: number) =>
  failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));

const faultOf = (error: unknown): string =>
  error instanceof WebAPIPlatformError
    ? `Slack refuses SLACK_APP_TOKEN: ${String(error.data.error).slice(0, 60)}.`
    : "Slack cannot be reached, or closed the socket at once.";

/**
 * Holds a socket to Slack open where the deployment calls for one, and opens it again whenever it ends. Never throws:
 * approvals go on in the web app meanwhile, and the Slack page says so.
 */
export function startSocket(): { stop(): Promise<void> } {
  const token = env().SLACK_APP_TOKEN;
  if (token === undefined || slackMode() !== "socket") return { stop: async () => undefined };
  noteSocket(false);
  const receiver = new SocketReceiver(token);
  const stopping = new AbortController();
  const holding = hold(receiver, stopping.signal).catch((error: unknown) => {
    noteSocket(false, "The socket is held no longer; the log says why.");
    log.error(errorFields(error), "the socket to Slack is held no longer");
  });
  return {
    stop: async () => {
      stopping.abort();
      await receiver.stop();
      // What is still being opened closes itself.
      await Promise.race([holding, pause(2_000, new AbortController().signal)]);
    },
  };
}

async function hold(receiver: SocketReceiver, stopping: AbortSignal): Promise<void> {
  await startApp(receiver);
  for (let failures = 0; !stopping.aborted; ) {
    const hasLasted = await openOnce(receiver, stopping);
    failures = hasLasted ? 0 : failures + 1;
    await pause(waitOf(failures), stopping);
  }
}

/** Opens the socket and waits for its end. Whether it lasted. */
async function openOnce(receiver: SocketReceiver, stopping: AbortSignal): Promise<boolean> {
  try {
    await receiver.start();
    const ended = receiver.ended();
    if (stopping.aborted) await receiver.stop();
    noteSocket(true);
    const openedAt = Date.now();
    await ended;
    noteSocket(false);
    return Date.now() - openedAt >= LASTED_MS;
  } catch (error) {
    noteSocket(false, faultOf(error));
    if (!stopping.aborted) log.warn({ ...errorFields(error) }, "the socket to Slack could not be opened");
    return false;
  }
}

/** Until then, or until we stop. */
function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined);
}
