import type { SlackApp } from "@/server/connectors/slack/oauth";
import { AppError } from "@/server/domain/errors";
import { type SlackMode, slackRedirectUrl } from "@/server/domain/slack-app";
import { env } from "@/server/env";

/** Whether the operator named the app at Slack. */
export const hasSlackApp = (): boolean => Boolean(env().SLACK_CLIENT_ID && env().SLACK_CLIENT_SECRET);

/** How Slack calls this deployment: over a socket that we open where the operator set its token, else by requests. */
export const slackMode = (): SlackMode => (env().SLACK_APP_TOKEN === undefined ? "http" : "socket");

/** The app at Slack as the operator registered it. Throws AppError `slack_not_configured`. */
export function slackApp(): SlackApp {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_API_URL: apiUrl, PUBLIC_URL } = env();
  if (!clientId || !clientSecret) {
    throw new AppError(
      "refused",
      "The operator has to set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET first. The values are on the Slack app's page, Basic Information.",
      { reason: "slack_not_configured" },
    );
  }
  return { apiUrl, clientId, clientSecret, redirectUrl: slackRedirectUrl(PUBLIC_URL) };
}
