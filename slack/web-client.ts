import { type Logger, LogLevel, WebClient, type WebClientOptions } from "@slack/web-api";
import { env } from "@/server/env";
import { log } from "@/server/log";

/** Slack's libraries' own lines may quote what people wrote: only that there was one passes. */
const quiet = (level: "debug" | "warn" | "error") => () => log[level]({}, "slack: a line of its libraries");
export const quietLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: quiet("debug"),
  error: quiet("warn"),
  getLevel: () => LogLevel.ERROR,
  setLevel: () => undefined,
  setName: () => undefined,
};

/** Retries are durable work's: a client that waits by itself is lost with its process. */
export const clientOptions = (timeoutMs: number): WebClientOptions => ({
  ...(env().SLACK_API_URL === undefined ? {} : { slackApiUrl: env().SLACK_API_URL as string }),
  logger: quietLogger,
  timeout: timeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
});

const POST_TIMEOUT_MS = 8_000;

export const webClient = (token: string): WebClient => new WebClient(token, clientOptions(POST_TIMEOUT_MS));
