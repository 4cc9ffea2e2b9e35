import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { installAddress, signInAddress } from "@/server/connectors/slack/oauth";
import { slackBotScopes, slackManifest, slackRedirectUrl } from "@/server/domain/slack-app";

const ORIGIN = "https://countersign.example";
const app = { apiUrl: undefined, clientId: "1.2", clientSecret: "s".repeat(16), redirectUrl: slackRedirectUrl(ORIGIN) };

describe("the manifest", () => {
  it("is the same in the repository, with a name in place of the address", () => {
    expect(JSON.parse(readFileSync("slack/manifest.json", "utf8"))).toEqual(slackManifest(ORIGIN));
  });

  it("names our addresses alone, and asks for what the code asks for", () => {
    const { oauth_config: oauth, settings } = slackManifest(ORIGIN);
    const urls = JSON.stringify(slackManifest(ORIGIN)).match(/https?:[^"]+/g) ?? [];
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) expect(new URL(url).origin).toBe(ORIGIN);
    expect(new URL(installAddress(app, "state")).searchParams.get("scope")).toBe(oauth.scopes.bot.join(","));
    expect(oauth.scopes.bot).toEqual(slackBotScopes);
    expect(settings.event_subscriptions.bot_events).toEqual(["app_home_opened", "app_uninstalled", "tokens_revoked"]);
  });

  it("names no address to call where Slack calls over a socket", () => {
    const manifest = slackManifest(ORIGIN, "socket");
    expect(manifest.settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(manifest).match(/https?:[^"]+/g)).toEqual([slackRedirectUrl(ORIGIN)]);
    expect(manifest.settings.event_subscriptions.bot_events).toEqual(
      slackManifest(ORIGIN).settings.event_subscriptions.bot_events,
    );
  });
});

it("people are sent to Slack's own pages", () => {
  expect(installAddress(app, "state")).toMatch(/^https:\/\/slack\.com\/oauth\/v2\/authorize\?/);
  expect(signInAddress(app, "state", "nonce")).toMatch(/^https:\/\/slack\.com\/openid\/connect\/authorize\?/);
});
