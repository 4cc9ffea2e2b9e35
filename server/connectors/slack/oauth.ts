import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import { z } from "zod";
import { askSlack, slackSite } from "@/server/connectors/slack/client";
import { AppError } from "@/server/domain/errors";
import { slackBotScopes } from "@/server/domain/slack-app";

/** The app at Slack, as the operator registered it. */
export type SlackApp = {
  readonly apiUrl: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUrl: string;
};

const refused = (cause?: unknown) =>
  new AppError("refused", "Slack did not confirm it. Start again.", { reason: "slack_refused" }, { cause });

/** Where an admin is asked by Slack to install the app. */
export function installAddress({ apiUrl, clientId, redirectUrl }: SlackApp, state: string): string {
  const url = new URL("oauth/v2/authorize", slackSite(apiUrl));
  url.search = new URLSearchParams({
    client_id: clientId,
    scope: slackBotScopes.join(","),
    redirect_uri: redirectUrl,
    state,
  }).toString();
  return url.href;
}

/** Where a person is asked by Slack who they are. */
export function signInAddress({ apiUrl, clientId, redirectUrl }: SlackApp, state: string, nonce: string): string {
  const url = new URL("openid/connect/authorize", slackSite(apiUrl));
  url.search = new URLSearchParams({
    response_type: "code",
    scope: "openid",
    client_id: clientId,
    redirect_uri: redirectUrl,
    state,
    nonce,
  }).toString();
  return url.href;
}

const id = z.string().min(1).max(50);
const installedSchema = z.object({
  access_token: z.string().max(300).startsWith("xoxb-"),
  token_type: z.literal("bot"),
  app_id: id,
  bot_user_id: id,
  is_enterprise_install: z.boolean().optional(),
  team: z.object({ id, name: z.string().max(300).optional() }).nullish(),
  enterprise: z.object({ id, name: z.string().max(300).optional() }).nullish(),
});

/** What Slack installed: a workspace, or a whole Enterprise Grid. */
export type Installed = {
  readonly token: string;
  readonly teamId: string;
  readonly name: string;
  readonly enterpriseId: string | null;
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
};

/** Exchanges the code of an installation, and asks Slack whose token that is. Throws AppError `slack_refused`. */
export async function exchangeInstall(app: SlackApp, code: string): Promise<Installed> {
  try {
    const answer = await askSlack(app.apiUrl).oauth.v2.access({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
      redirect_uri: app.redirectUrl,
    });
    const installed = installedSchema.parse(answer);
    const { team, enterprise, access_token: token, app_id: appId, bot_user_id: botUserId } = installed;
    const whole = installed.is_enterprise_install ? enterprise : team;
    if (!whole) throw refused();
    const who = await askSlack(app.apiUrl, token).auth.test();
    const isSame = installed.is_enterprise_install ? who.enterprise_id === whole.id : who.team_id === whole.id;
    if (!isSame || !who.bot_id || who.user_id !== botUserId) throw refused();
    const enterpriseId = enterprise?.id ?? null;
    return { token, teamId: whole.id, name: whole.name ?? "", enterpriseId, appId, botId: who.bot_id, botUserId };
  } catch (cause) {
    throw cause instanceof AppError ? cause : refused(cause);
  }
}

const claimsSchema = z.object({
  nonce: z.string().max(200),
  "https://slack.com/user_id": id,
  "https://slack.com/team_id": id,
});

/** Whom Slack signed in, with the nonce that was sent along. */
export type SignedIn = { readonly userId: string; readonly teamId: string; readonly nonce: string };

type Keys = ReturnType<typeof createRemoteJWKSet>;
const known = new Map<string, Keys>();

function keysOf(site: URL): Keys {
  const keys =
    known.get(site.href) ?? createRemoteJWKSet(new URL("openid/connect/keys", site), { timeoutDuration: 3_000 });
  known.set(site.href, keys);
  return keys;
}

/**
 * Exchanges the code of a sign-in and verifies the id token: Slack's own keys, this app, now. The caller compares the
 * nonce. Throws AppError `slack_refused`.
 */
export async function exchangeSignIn(app: SlackApp, code: string): Promise<SignedIn> {
  const site = slackSite(app.apiUrl);
  try {
    const answer = await askSlack(app.apiUrl).openid.connect.token({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
      redirect_uri: app.redirectUrl,
    });
    const { payload } = await jwtVerify(z.string().max(20_000).parse(answer.id_token), keysOf(site), {
      issuer: site.origin,
      audience: app.clientId,
      algorithms: ["RS256"],
      maxTokenAge: "10 minutes",
      clockTolerance: 30,
    });
    const claims = claimsSchema.parse(payload);
    return {
      userId: claims["https://slack.com/user_id"],
      teamId: claims["https://slack.com/team_id"],
      nonce: claims.nonce,
    };
  } catch (cause) {
    if (cause instanceof errors.JWKSTimeout) {
      throw new AppError("unavailable", "Slack did not answer in time. Start again.", { retryAfterS: 5 }, { cause });
    }
    throw refused(cause);
  }
}
