import { type Logger, LogLevel, WebClient } from "@slack/web-api";

const TIMEOUT_MS = 5_000;

/** Its lines may quote what was sent. */
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setLevel: () => undefined,
  setName: () => undefined,
};

/** A client for one question at a time: what fails is told to whoever asked. */
export const askSlack = (apiUrl: string | undefined, token?: string): WebClient =>
  new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    timeout: TIMEOUT_MS,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });

/** Where Slack shows its pages: beside its Web API. */
export const slackSite = (apiUrl: string | undefined): URL => new URL("../", apiUrl ?? "https://slack.com/api/");
