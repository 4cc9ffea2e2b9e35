import { type Change, onAnyChange, onChange } from "@/server/db/listen";
import type { MemberActor } from "@/server/domain/actor";

/** Calls `handler` with the ids of what changes in the person's organization, until the returned function is called. */
export const follow = (actor: MemberActor, handler: (change: Omit<Change, "orgId">) => void): (() => void) =>
  onChange(actor.orgId, ({ kind, id }) => handler({ kind, id }));

/** An approval whose card in Slack may be behind. */
export type CardChange = { readonly organizationId: string; readonly approvalId: string };

/** Calls `handler` for each organization that has something to tell in Slack, until the returned function is called. */
export const followAlerts = (handler: (organizationId: string) => void, resync: () => void): (() => void) =>
  onAnyChange(({ orgId, kind }) => {
    if (kind === "alert") handler(orgId);
  }, resync);

/** Calls `handler` for each approval that ended, was held or was reminded of, whoever did it, until the returned function is called. */
export const followCards = (handler: (change: CardChange) => void, resync: () => void): (() => void) =>
  onAnyChange(({ orgId, kind, id }) => {
    if (kind === "card") handler({ organizationId: orgId, approvalId: id });
  }, resync);
