import { WebAPIPlatformError } from "@slack/web-api";
import { askSlack } from "@/server/connectors/slack/client";
import { isOpenToOthers } from "@/server/domain/slack-channel";

/** What Slack says of an installation at this moment. */
export type Probe =
  | { readonly kind: "unreachable" }
  | { readonly kind: "refused"; readonly error: string }
  | {
      readonly kind: "answered";
      readonly teamId: string;
      readonly teamName: string;
      readonly scopes: readonly string[];
      readonly channel:
        | { readonly kind: "refused"; readonly error: string }
        | {
            readonly kind: "known";
            readonly isMember: boolean;
            readonly isArchived: boolean;
            readonly isOpen: boolean;
          };
    };

type Asked = { readonly token: string; readonly channelId: string | null; readonly apiUrl: string | undefined };

const errorOf = (error: unknown): string => {
  if (error instanceof WebAPIPlatformError) return String(error.data.error);
  throw error;
};

/** Asks Slack what a token may do and what its channel is. Never throws. */
export async function probeWorkspace({ token, channelId, apiUrl }: Asked): Promise<Probe> {
  const client = askSlack(apiUrl, token);
  try {
    const who = await client.auth.test().catch(errorOf);
    if (typeof who === "string") return { kind: "refused", error: who };
    const found =
      channelId === null ? "no_channel" : await client.conversations.info({ channel: channelId }).catch(errorOf);
    return {
      kind: "answered",
      teamId: who.team_id ?? "",
      teamName: who.team ?? "",
      scopes: who.response_metadata?.scopes ?? [],
      channel:
        typeof found === "string"
          ? { kind: "refused", error: found }
          : {
              kind: "known",
              isMember: found.channel?.is_member === true,
              isArchived: found.channel?.is_archived === true,
              isOpen: isOpenToOthers(found.channel),
            },
    };
  } catch {
    return { kind: "unreachable" };
  }
}
