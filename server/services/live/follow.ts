import { type Change, onChange } from "@/server/db/listen";
import type { MemberActor } from "@/server/domain/actor";

/** Calls `handler` with the ids of what changes in the person's organization, until the returned function is called. */
export const follow = (actor: MemberActor, handler: (change: Omit<Change, "orgId">) => void): (() => void) =>
  onChange(actor.orgId, ({ kind, id }) => handler({ kind, id }));
