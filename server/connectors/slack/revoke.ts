import { askSlack } from "@/server/connectors/slack/client";

/** Asks Slack to revoke a bot's token. False where Slack did not confirm it. */
export async function revokeToken(apiUrl: string | undefined, token: string): Promise<boolean> {
  try {
    return (await askSlack(apiUrl, token).auth.revoke()).ok === true;
  } catch {
    return false;
  }
}
