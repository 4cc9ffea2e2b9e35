/** Why Slack takes nothing from us, in words for admins, and what to do about it. Approvals go on in the web app. */
export const SLACK_PROBLEMS = {
  uninstalled: { what: "The app was removed from the workspace.", next: "Connect the workspace again." },
  token_revoked: { what: "The bot's token was revoked.", next: "Connect the workspace again." },
  no_channel: { what: "No channel is chosen.", next: "Choose the channel in which approvals are asked." },
  channel_gone: { what: "The channel is gone or archived.", next: "Choose another channel." },
  not_in_channel: {
    what: "The bot is not in the channel.",
    next: "In Slack, open the channel and type /invite @Countersign.",
  },
  missing_scope: { what: "The app lacks a permission that it needs.", next: "Connect the workspace again." },
} as const;

export type SlackProblem = keyof typeof SLACK_PROBLEMS;

const BY_ERROR: Readonly<Record<string, SlackProblem>> = {
  account_inactive: "token_revoked",
  invalid_auth: "token_revoked",
  not_authed: "token_revoked",
  token_expired: "token_revoked",
  token_revoked: "token_revoked",
  org_login_required: "token_revoked",
  team_access_not_granted: "uninstalled",
  channel_not_found: "channel_gone",
  is_archived: "channel_gone",
  not_in_channel: "not_in_channel",
  missing_scope: "missing_scope",
  no_permission: "missing_scope",
};

/** What an error code of Slack's means for the installation; null where it means nothing lasting. */
export const problemOf = (code: string): SlackProblem | null => BY_ERROR[code] ?? null;

/** A problem that is stored, in words; one that is unknown reads as it is. */
export const problemWords = (problem: string): { readonly what: string; readonly next: string } =>
  SLACK_PROBLEMS[problem as SlackProblem] ?? { what: "Slack refuses what is sent.", next: "Check the set-up." };
