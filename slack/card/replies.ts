import { STANDINGS } from "@/server/domain/standing";
import { cutText } from "@/server/domain/text";
import type { ThreadFacts } from "@/server/services/slack/thread-facts";
import { type Block, data, decideUntil, people, sentence } from "@/slack/card/blocks";
import type { Card } from "@/slack/card/card";
import { visibleLine, visibleText } from "@/slack/card/visible-text";

const MAX_NAME = 120;
const MAX_REASON = 2_000;

const OUTCOMES: Readonly<Record<string, string>> = {
  approved: "Approved.",
  rejected: STANDINGS.rejected,
  expired: STANDINGS.expired,
  voided: STANDINGS.asked_again,
  withdrawn: STANDINGS.withdrawn,
};

const name = (text: string) => cutText(visibleLine(text), MAX_NAME);

const answered = ({ name: who, decision, reason }: ThreadFacts["answers"][number]): Block =>
  data(
    decision === "approve" ? "Approved by" : "Rejected by",
    reason === null ? name(who) : `${name(who)}\n${cutText(visibleText(reason), MAX_REASON)}`,
  );

/** How an approval ended, by whom and why, for the thread of its card. In an open channel nothing but how. */
export function outcomeReply(facts: ThreadFacts, { isOpenChannel }: { readonly isOpenChannel: boolean }): Card {
  const text = OUTCOMES[facts.status] ?? "Over.";
  if (isOpenChannel) return { text, blocks: [sentence(text)] };
  const isDecided = facts.status === "approved" || facts.status === "rejected";
  const by = isDecided || facts.endedBy === null ? [] : [data("By", name(facts.endedBy))];
  const why = isDecided || facts.why === null ? [] : [data("Why", facts.why)];
  const asked = facts.askedBy.length === 0 ? [] : [people("Asked for: ", facts.askedBy)];
  return { text, blocks: [sentence(text), ...facts.answers.map(answered), ...by, ...why, ...asked] };
}

const STILL = "This still waits for a person.";

const CALLED = {
  approver: STILL,
  admin: "Nobody has decided yet. It goes on to the admins.",
  owner: "Nobody has decided yet. It goes on to the owners.",
} as const;

/** A reminder of what still waits, to those who could approve it; or word that it goes on to the next role, to them. */
export function reminderReply({ expiresAt, waitsFor, calledRole }: ThreadFacts): Card {
  const text = calledRole === null ? STILL : CALLED[calledRole];
  const whom = waitsFor.length === 0 ? [] : [people("Who could approve it: ", waitsFor)];
  return { text, blocks: [sentence(text), ...whom, decideUntil(expiresAt)] };
}
