import type { MemberActor } from "@/server/domain/actor";
import { type Authority, GIVEN_LATER } from "@/server/services/approvals/authority";

/**
 * Whether the reader may decide, and if not why, by what is known when the page is read; the decision reads it again.
 * `isOwn`: they asked for it themselves, and may since they are alone.
 */
export type MayDecide =
  | { readonly allowed: true; readonly isOwn: boolean }
  | { readonly allowed: false; readonly why: string };

type Row = {
  readonly status: string;
  readonly authority: Authority;
  readonly required_role: string;
  readonly taken_up_by_id: string | null;
  readonly requesters: readonly string[];
  readonly own_could: boolean;
  readonly given: readonly { readonly memberId: string }[];
};

/** What a page says about deciding: the same tests, in the same order, as the decision makes. */
export function mayDecide(actor: MemberActor, row: Row): MayDecide {
  const no = (why: string): MayDecide => ({ allowed: false, why });
  if (row.status !== "pending") return no(`It is ${row.status} already.`);
  if (!actor.permissions.has("approval:decide")) return no("Your role does not decide.");
  if (row.authority === "none") return no(`Deciding this takes the role ${row.required_role}.`);
  if (row.authority === "later") return no(GIVEN_LATER);
  const isOwn = row.requesters.includes(actor.memberId);
  if (isOwn && !(row.own_could && actor.role === "owner")) return no(whyOwn(actor, row));
  const mine = row.given.some((decision) => decision.memberId === actor.memberId);
  return mine ? no("You have decided this already. A second person has to.") : { allowed: true, isOwn };
}

const whyOwn = (actor: MemberActor, row: Row): string =>
  row.taken_up_by_id === actor.memberId
    ? "You took this up, so you count as having asked."
    : "You own this agent or issued its key, so you count as having asked.";
