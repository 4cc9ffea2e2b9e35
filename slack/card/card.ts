import { formatMoney } from "@/server/domain/money";
import { mayApproveInSlack } from "@/server/domain/slack-risk";
import { cutText } from "@/server/domain/text";
import type { CardFacts } from "@/server/services/slack/card-facts";
import { argumentsText, shortArguments } from "@/slack/card/arguments";
import {
  type Block,
  buttons,
  data,
  decideUntil,
  header,
  lengthOf,
  MAX_BLOCKS_LENGTH,
  moment,
  sentence,
} from "@/slack/card/blocks";
import { hostsIn } from "@/slack/card/hosts";
import { visibleLine, visibleText } from "@/slack/card/visible-text";

/** What Slack shows: `text` is for notifications and holds nothing but words of ours. */
export type Card = { readonly text: string; readonly blocks: readonly Block[] };

/** `needsFile`: the thread has to hold what the card could not show whole. */
export type ApprovalCard = Card & { readonly needsFile: boolean };

export type CardPlace = {
  /** Where the web app shows this approval. */
  readonly url: string;
  /** Whether people outside the organization, or everyone in it, can read the channel. */
  readonly isOpenChannel: boolean;
};

export const APPROVE = "approval.approve";
export const REJECT = "approval.reject";
export const OPEN = "approval.open";

const MAX_NAME = 120;
const MAX_NOTE = 600;
const MAX_REASONS = 1_200;

const RISKS = { low: "Low risk", medium: "Medium risk", high: "High risk" } as const;
const ENDS: Readonly<Record<string, string>> = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired: nobody decided in time, nothing runs",
  voided: "Void: what was asked has changed",
  withdrawn: "Withdrawn: nothing runs",
};

const name = (text: string) => cutText(visibleLine(text), MAX_NAME);
const isCut = (text: string, most: number) => cutText(text, most) !== text;

/** The digest as people compare it: its first sixteen digits in fours. */
const digestPrefix = (digest: string) => (digest.slice(0, 16).match(/.{4}/g) ?? []).join(" ");

/** What an imitation does not know. It stands above everything that an agent can influence. */
export const phraseOf = (phrase: string | null): Block[] =>
  phrase === null ? [] : [data("The phrase of your organization", visibleLine(phrase))];

const isOver = (facts: CardFacts) => facts.status !== "pending";

const title = (facts: CardFacts) =>
  isOver(facts) ? (ENDS[facts.status] ?? "Over") : `${RISKS[facts.risk]}: a person has to decide`;

function what(facts: CardFacts): string {
  const account = facts.account === "" ? "" : `, account ${name(facts.account)}`;
  return [
    `Action:  ${name(facts.action)}`,
    `Agent:   ${name(facts.agentName)} (owner: ${name(facts.ownerName)})`,
    `Over:    ${name(facts.connectionName)} (${name(facts.provider)})${account}`,
  ].join("\n");
}

function circumstances(facts: CardFacts): string {
  const price = facts.price === null ? "nothing" : formatMoney(facts.price);
  const undo = facts.undoSeconds > 0 ? `can be stopped for ${facts.undoSeconds} s after approval` : "cannot be undone";
  const people = facts.requiredPeople === 1 ? "one person" : `${facts.requiredPeople} people, ${facts.given} so far`;
  return [
    `Session: ${facts.labels.length === 0 ? "clean" : name(facts.labels.join(", "))}`,
    `Costs:   ${price}`,
    `Undo:    ${facts.isIrreversible ? "irreversible; " : ""}${undo}`,
    `Takes:   ${people} with the role ${facts.requiredRole}`,
    `Digest:  ${digestPrefix(facts.digest)}`,
  ].join("\n");
}

const reasonsOf = (facts: CardFacts) => facts.reasons.map(visibleLine).join("\n");
const newOf = (facts: CardFacts) => facts.newTargets.map(visibleLine).join("\n");
const hostsOf = (facts: CardFacts) => hostsIn(facts.arguments).join("\n");

/** Whether something that whoever approves has to know beside the arguments is too long to stand here whole. */
function isCutShort(facts: CardFacts): boolean {
  const { action, agentName, ownerName, connectionName, provider, account, labels } = facts;
  const names = [action, agentName, ownerName, connectionName, provider, account, labels.join(", ")];
  return (
    names.some((text) => isCut(visibleLine(text), MAX_NAME)) ||
    [reasonsOf(facts), hostsOf(facts), newOf(facts)].some((text) => isCut(text, MAX_REASONS))
  );
}

function decisionsOf(facts: CardFacts): Block[] {
  const lines = facts.decisions.map(({ name: who, decision, at }) => {
    const verb = decision === "approve" ? "approved" : "rejected";
    return `${name(who)} ${verb} at ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  });
  return lines.length === 0 ? [] : [data("Decided by", lines.join("\n"))];
}

function body(facts: CardFacts, shown: string): Block[] {
  const hosts = hostsOf(facts);
  return [
    data("What", what(facts)),
    data("Exactly what will run", shown),
    ...(hosts === "" ? [] : [data("Hosts named in it", cutText(hosts, MAX_REASONS))]),
    ...(isOver(facts) || facts.newTargets.length === 0
      ? []
      : [data("Reached for the first time", cutText(newOf(facts), MAX_REASONS))]),
    data("Why a person is asked", cutText(reasonsOf(facts), MAX_REASONS)),
    ...(facts.blocked === null
      ? []
      : [data("Blocked at the moment", cutText(visibleLine(facts.blocked), MAX_REASONS))]),
    data("About it", circumstances(facts)),
  ];
}

function decide(facts: CardFacts, place: CardPlace, mayApprove: boolean): Block {
  const value = JSON.stringify({ approval: facts.approvalId, digest: facts.digest });
  return buttons("approval.decide", [
    ...(mayApprove ? [{ id: APPROVE, words: "Approve", value, style: "primary" as const }] : []),
    { id: REJECT, words: "Reject\u2026", value, style: "danger" },
    { id: OPEN, words: "Open in Countersign", url: place.url },
  ]);
}

/** The agent's own words: cut where they are long, since nothing that is decided depends on them. Last of all. */
const claim = (facts: CardFacts): Block[] =>
  facts.note === null ? [] : [data("The agent claims (not checked)", cutText(visibleText(facts.note), MAX_NOTE))];

const openOnly = (place: CardPlace) =>
  buttons("approval.open", [{ id: OPEN, words: "Open in Countersign", url: place.url }]);

const IN_THE_OPEN = "What is asked is not shown in a channel that is public or shared.";
const TOO_LONG = "This is too long to be shown here.";

function linkOnly(facts: CardFacts, place: CardPlace, words: string): Card {
  const text = title(facts);
  const phrase = place.isOpenChannel ? [] : phraseOf(facts.phrase);
  const about = data("About it", `Digest:  ${digestPrefix(facts.digest)}`);
  return { text, blocks: [header(text), ...phrase, sentence(words), about, openOnly(place)] };
}

const TOO_LONG_TO_APPROVE = "This is too long to be shown whole here, so it can only be approved in the web app.";

/** Why its risk is more than Slack may approve; null where it is not. */
function aboveLimit({ risk, slackMaxRisk }: CardFacts): string | null {
  if (risk === "high") return "High risk is approved in the web app.";
  if (mayApproveInSlack(risk, slackMaxRisk)) return null;
  return "Your organization lets Slack approve low risk only. Approve this in the web app.";
}

const OWN = {
  could: "Warning: who asked for this may decide it, since nobody else can. No second person looks at it.",
  decided: "Warning: who asked for this decided it. No second person looked at it.",
} as const;

const ownRequest = ({ ownRequest: own }: CardFacts): Block[] => (own === null ? [] : [sentence(OWN[own])]);

function waiting(facts: CardFacts, shown: string, place: CardPlace, isWhole: boolean): Block[] {
  const elsewhere = isWhole ? aboveLimit(facts) : TOO_LONG_TO_APPROVE;
  const mayApprove = elsewhere === null && facts.blocked === null;
  return [
    header(title(facts)),
    ...phraseOf(facts.phrase),
    ...body(facts, shown),
    facts.isHeld ? sentence("A control holds it: the time to decide does not run.") : decideUntil(facts.expiresAt),
    ...(elsewhere === null ? [] : [sentence(elsewhere)]),
    ...ownRequest(facts),
    decide(facts, place, mayApprove),
    ...claim(facts),
  ];
}

function over(facts: CardFacts, shown: string, place: CardPlace): Block[] {
  return [
    header(title(facts)),
    ...phraseOf(facts.phrase),
    ...decisionsOf(facts),
    ...ownRequest(facts),
    ...(facts.decidedAt === null ? [] : [moment("Since", facts.decidedAt)]),
    ...body(facts, shown),
    openOnly(place),
    ...claim(facts),
  ];
}

/**
 * The card of an approval as the database has it. What does not fit whole offers no way to approve but in the web app;
 * a decided one offers no way to decide.
 */
export function cardOf(facts: CardFacts, place: CardPlace): ApprovalCard {
  if (place.isOpenChannel) return { ...linkOnly(facts, place, IN_THE_OPEN), needsFile: false };
  const render = (shown: string, isWhole: boolean) =>
    isOver(facts) ? over(facts, shown, place) : waiting(facts, shown, place, isWhole);
  const whole = render(argumentsText(facts.arguments), !isCutShort(facts));
  const fits = lengthOf(whole) <= MAX_BLOCKS_LENGTH;
  const blocks = fits ? whole : render(shortArguments(facts.arguments), false);
  const isShown = lengthOf(blocks) <= MAX_BLOCKS_LENGTH;
  const card = isShown ? { text: title(facts), blocks } : linkOnly(facts, place, TOO_LONG);
  return { ...card, needsFile: !fits && !isOver(facts) };
}
