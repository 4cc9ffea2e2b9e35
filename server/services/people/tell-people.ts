import { log } from "@/server/log";

/** What people are told about: ids only; whoever tells them reads the rows. */
export type Notice =
  | {
      readonly kind: "approval_requested" | "approval_reminder" | "approval_escalated" | "approval_ended";
      readonly organizationId: string;
      readonly approvalId: string;
      readonly requestId: string;
    }
  | { readonly kind: "outcome_unknown"; readonly organizationId: string; readonly requestId: string };

/** A way to reach people outside the web app. It may be called more than once for the same notice. */
export type Channel = { readonly name: string; readonly tell: (notice: Notice) => Promise<void> };

/** Channels in use. The web app needs none: it is live by itself. */
const CHANNELS: readonly Channel[] = [];

/** Tells people over every channel. One that fails keeps no other from being told. */
export async function tellPeople(notice: Notice): Promise<void> {
  const results = await Promise.allSettled(CHANNELS.map((channel) => channel.tell(notice)));
  for (const [index, result] of results.entries()) {
    if (result.status === "rejected")
      log.warn({ channel: CHANNELS[index]?.name, notice: notice.kind }, "people could not be told");
  }
}
