/** What coming back from Slack came to, by the code in the address. A code that is not here says nothing. */
const DONE: Readonly<Record<string, string>> = {
  connected: "Connected. If no channel is chosen yet, choose one below.",
  linked: "Linked. You can decide in Slack what your role lets you decide.",
};

const PROBLEMS: Readonly<Record<string, string>> = {
  signed_out: "Nothing was done: you were not signed in any more. Sign in and start again.",
  slack_declined: "Nothing was done: it was declined in Slack.",
  slack_state_invalid:
    "Nothing was done: this did not begin in this browser, was used already, or took too long. Start again.",
  slack_refused: "Nothing was done: Slack did not confirm it. Start again.",
  slack_other_workspace: "Not linked: your organization has not connected the workspace you signed in to.",
  slack_not_admitted: "Not linked: only full members of a connected workspace can be linked.",
  slack_unreachable: "Not linked: Slack did not say who you are. Start again.",
  slack_not_configured: "Nothing was done: the operator has not named the app at Slack.",
  already_exists: "Not connected: another organization has connected this workspace.",
  not_permitted: "Nothing was done: your role does not connect workspaces.",
};

export type Returned = { readonly tone: "ok" | "stop"; readonly words: string };

/** What to tell somebody who comes back from Slack; null where they do not. */
export function returnedWords(done: string | undefined, problem: string | undefined): Returned | null {
  if (problem !== undefined) return { tone: "stop", words: own(PROBLEMS, problem) ?? "Nothing was done. Start again." };
  const words = done === undefined ? null : own(DONE, done);
  return words === null ? null : { tone: "ok", words };
}

const own = (words: Readonly<Record<string, string>>, code: string): string | null =>
  Object.hasOwn(words, code) ? (words[code] ?? null) : null;

/** Where Slack makes the app from our manifest. */
export const createAppAddress = (manifest: object): string =>
  `https://api.slack.com/apps?${new URLSearchParams({ new_app: "1", manifest_json: JSON.stringify(manifest) })}`;
