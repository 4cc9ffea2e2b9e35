/** What the bot needs in a workspace, each with what it is for. Without one of them the set-up check says which. */
export const SLACK_BOT_SCOPES = {
  "chat:write": "to post cards and answers",
  commands: "for /countersign",
  "users:read": "to see whether a person is a full member",
  "groups:read": "to see who can read a private channel",
  "groups:history": "to find a card again after a crash",
  "channels:read": "to see that a channel is public",
  "channels:history": "to find a link again in a public channel",
  "files:write": "to add what is too long for a card as a file",
} as const;

export type SlackScope = keyof typeof SLACK_BOT_SCOPES;
export const slackBotScopes = Object.keys(SLACK_BOT_SCOPES) as SlackScope[];
/** Those without which Slack takes no cards; without the others a card lacks something. */
export const slackCardScopes = slackBotScopes.filter((scope) => scope !== "files:write");

/** Where Slack sends what people press and type, and where it sends people back to. */
export const slackEventsUrl = (publicUrl: string): string => `${publicUrl}/api/slack/events`;
export const slackRedirectUrl = (publicUrl: string): string => `${publicUrl}/api/slack/oauth/callback`;

/** How Slack calls us: by requests to our address, or over a socket that we open. */
export type SlackMode = "http" | "socket";

const requestUrl = (publicUrl: string, mode: SlackMode) =>
  mode === "http" ? { request_url: slackEventsUrl(publicUrl) } : {};

/**
 * The manifest that Slack makes the app from; over a socket it names no address to call. `slack/manifest.json` is the
 * same with a name in place of the address.
 */
export const slackManifest = (publicUrl: string, mode: SlackMode = "http") => ({
  display_information: {
    name: "Countersign",
    description: "Agents ask, people countersign.",
    background_color: "#2e57a5",
  },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: false, messages_tab_read_only_enabled: true },
    bot_user: { display_name: "Countersign", always_online: true },
    slash_commands: [
      {
        command: "/countersign",
        ...(mode === "http" ? { url: slackEventsUrl(publicUrl) } : {}),
        description: "What is stopped, and how to stop it",
        usage_hint: "status | pause <agent> | resume <agent> | freeze",
        should_escape: false,
      },
    ],
  },
  oauth_config: {
    redirect_urls: [slackRedirectUrl(publicUrl)],
    scopes: { user: ["openid"], bot: slackBotScopes },
  },
  settings: {
    event_subscriptions: {
      ...requestUrl(publicUrl, mode),
      bot_events: ["app_home_opened", "app_uninstalled", "tokens_revoked"],
    },
    interactivity: { is_enabled: true, ...requestUrl(publicUrl, mode) },
    org_deploy_enabled: true,
    socket_mode_enabled: mode === "socket",
    token_rotation_enabled: false,
  },
});
