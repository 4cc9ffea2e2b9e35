import type { WebClient } from "@slack/web-api";
import { WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";
import type { SystemActor } from "@/server/domain/actor";
import { problemOf, type SlackProblem } from "@/server/domain/slack-problem";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { type CardFacts, readCard } from "@/server/services/slack/card-facts";
import { type LeasedCard, leaseCard, recordCard } from "@/server/services/slack/cards";
import { noteSlackProblem } from "@/server/services/slack/watch-installation";
import { listPlaces, openWorkspace, type Place } from "@/server/services/slack/workspaces";
import { systemActor } from "@/server/services/system-actor";
import { type ApprovalCard, cardOf } from "@/slack/card/card";
import { isDefinite } from "@/slack/definite";
import { findPosted } from "@/slack/find-posted";
import { isOpenChannel } from "@/slack/open-channel";
import { keepQuiet, quietFor } from "@/slack/pace";
import { tellThread } from "@/slack/thread";
import { tellFile } from "@/slack/thread-file";
import { webClient } from "@/slack/web-client";

/** It cannot be done now: Slack asked for patience, or somebody else is at it. */
export class CardLater extends Error {
  override readonly name = "CardLater";
  readonly afterS: number;
  /** Whether Slack asked for it; else somebody else has the card. */
  readonly isSlacksWish: boolean;

  constructor(afterS: number, options: ErrorOptions & { readonly isSlacksWish?: boolean } = {}) {
    super("the card has to wait", options);
    this.afterS = afterS;
    this.isSlacksWish = options.isSlacksWish ?? options.cause !== undefined;
  }
}

const JOB = "slack-cards";
const BUSY_S = 2;
const MAX_ROUNDS = 5;
const EVENT_TYPE = "countersign_approval";

type Known = Pick<LeasedCard, "ts" | "status" | "shown" | "isUnsure">;
type Desk = {
  readonly actor: SystemActor;
  readonly client: WebClient;
  readonly place: Place;
  readonly botId: string;
  readonly isOpen: boolean;
  readonly facts: CardFacts;
  readonly card: ApprovalCard;
};

/** What a card shows that can change; the sweep reads its second, third and fourth part (`findCardsBehind`). */
const stateOf = ({ status, given, requiredPeople, isHeld }: CardFacts, isOpen = false) =>
  [status, given, requiredPeople, isHeld ? "held" : "", ...(isOpen ? ["open"] : [])].join("/");

/**
 * Brings the cards of an approval to what the database says, wherever they are: a workspace that fails keeps no other
 * from its card. Throws CardLater with the longest wait, or the first other failure.
 */
export async function syncCards(orgId: string, approvalId: string): Promise<void> {
  const actor = systemActor(orgId, JOB);
  const failures: unknown[] = [];
  for (const place of await listPlaces(actor, { approvalId })) {
    try {
      await syncCard(actor, place, approvalId);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw mostOf(failures);
}

function mostOf(failures: readonly unknown[]): unknown {
  const waits = failures.filter((failure) => failure instanceof CardLater);
  const [longest] = waits.toSorted((a, b) => b.afterS - a.afterS);
  const [first] = failures.filter((failure) => !(failure instanceof CardLater));
  if (longest && first) log.warn(errorFields(first), "a card in one of several workspaces was left for later");
  return longest ?? first;
}

/** The same right away, where durable work would do it anyway. Never throws. */
export async function syncSoon(orgId: string, approvalId: string): Promise<void> {
  try {
    await syncCards(orgId, approvalId);
  } catch (error) {
    if (!(error instanceof CardLater)) log.warn(errorFields(error), "a card was left to durable work");
  }
}

type Job = {
  readonly actor: SystemActor;
  readonly client: WebClient;
  readonly place: Place;
  readonly botId: string;
  readonly botUserId: string;
  /** Whether it is the channel in which approvals are asked now. */
  readonly isCurrent: boolean;
  readonly key: Place & { readonly approvalId: string };
};

async function syncCard(actor: SystemActor, place: Place, approvalId: string): Promise<void> {
  const { token, botId, botUserId, channelId } = await openWorkspace(actor, { teamId: place.teamId });
  const key = { approvalId, teamId: place.teamId, channelId: place.channelId };
  const isCurrent = place.channelId === channelId;
  const job: Job = { actor, client: webClient(token.expose()), place, botId, botUserId, isCurrent, key };
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    if ((await syncOnce(job)) === "over") return;
  }
  throw new CardLater(BUSY_S);
}

async function syncOnce(job: Job): Promise<"over" | "again"> {
  const { actor, key } = job;
  const quietS = quietFor(key);
  if (quietS > 0) throw new CardLater(quietS, { isSlacksWish: true });
  const leased = await leaseCard(actor, key);
  if (leased === null) throw new CardLater(BUSY_S);
  const facts = await readCard(actor, { approvalId: key.approvalId });
  const state: { known: Known } = { known: leased };
  try {
    await bringAndTell(job, leased, facts, state);
  } catch (error) {
    const { known } = state;
    await record(job, known, known.isUnsure || !(isDefinite(error) || known.ts !== null));
    const problem = lasting(error);
    if (error instanceof WebAPIRateLimitedError) keepQuiet(key, patienceS(error));
    if (problem === null) throw patience(error);
    await giveUp(job, facts, problem);
    return "over";
  }
  await record(job, state.known, state.known.isUnsure);
  // A decision that came while Slack was being told is told too.
  return stateOf(await readCard(actor, { approvalId: key.approvalId })) === stateOf(facts) ? "over" : "again";
}

/** `state` says after each step what Slack has by then, should the next one fail. */
async function bringAndTell(job: Job, leased: LeasedCard, facts: CardFacts, state: { known: Known }): Promise<void> {
  const { actor, client, place, botId, botUserId, isCurrent, key } = job;
  const isOpen = !isCurrent || (await isOpenChannel(client, place));
  const card = cardOf(facts, { url: `${env().PUBLIC_URL}/approvals/${key.approvalId}`, isOpenChannel: isOpen });
  const brought = await bring({ actor, client, place, botId, isOpen, facts, card }, leased);
  // The sweep looks at the status: until the thread knows it too, the card counts as behind.
  state.known = { ...brought, status: leased.status };
  const { approvalId } = key;
  if (brought.ts !== null) {
    const thread = { client, place, botId, botUserId, approvalId, ts: brought.ts, isOpenChannel: isOpen, leased };
    if (card.needsFile) await tellFile(actor, thread, facts);
    await tellThread(actor, thread);
  }
  state.known = brought;
}

const record = ({ actor, key }: Job, { ts, status, shown }: Known, isUnsure: boolean) =>
  recordCard(actor, { ...key, ts, status, shown, isUnsure });

/**
 * What lasts is noted for admins, and nothing is tried until it is over. A card in a channel of before that is gone is
 * nobody's any more.
 */
async function giveUp({ actor, isCurrent, key }: Job, facts: CardFacts, problem: SlackProblem): Promise<void> {
  const isOfChannel = problem === "channel_gone" || problem === "not_in_channel";
  if (isCurrent || !isOfChannel) return noteSlackProblem(actor, { teamId: key.teamId, problem });
  await recordCard(actor, { ...key, ts: null, status: facts.status, shown: stateOf(facts), isUnsure: false });
}

const lasting = (error: unknown): SlackProblem | null =>
  error instanceof WebAPIPlatformError ? problemOf(String(error.data.error)) : null;

const patienceS = ({ retryAfter }: WebAPIRateLimitedError): number => Math.max(1, retryAfter);

const patience = (error: unknown): unknown =>
  error instanceof WebAPIRateLimitedError ? new CardLater(patienceS(error), { cause: error }) : error;

async function bring(desk: Desk, leased: LeasedCard): Promise<Known> {
  const { facts, isOpen } = desk;
  const { status } = facts;
  const shown = stateOf(facts, isOpen);
  const ts = leased.ts ?? (leased.isUnsure ? await findCard(desk, leased) : null);
  const isBehind = leased.ts === null || leased.shown !== shown;
  if (ts !== null && (!isBehind || (await update(desk, ts)))) return { ts, status, shown, isUnsure: false };
  // What ended before anybody was told, or whose card somebody deleted, needs none.
  if (status !== "pending") return { ts: null, status, shown, isUnsure: false };
  return { ts: await post(desk), status, shown, isUnsure: false };
}

/** Our blocks are fewer kinds than Slack's; its own check is the last word. */
const messageOf = ({ card }: Desk) => ({ text: card.text, blocks: card.blocks as never });

async function post(desk: Desk): Promise<string> {
  const { client, place, facts } = desk;
  const { ts } = await client.chat.postMessage({
    channel: place.channelId,
    ...messageOf(desk),
    unfurl_links: false,
    unfurl_media: false,
    metadata: { event_type: EVENT_TYPE, event_payload: { approval: facts.approvalId } },
  });
  if (ts === undefined) throw new Error("Slack posted a message without a name");
  return ts;
}

/** False where somebody deleted the message. */
async function update(desk: Desk, ts: string): Promise<boolean> {
  const { client, place, facts } = desk;
  const metadata = { event_type: EVENT_TYPE, event_payload: { approval: facts.approvalId } };
  try {
    await client.chat.update({ channel: place.channelId, ts, ...messageOf(desk), metadata });
    return true;
  } catch (error) {
    if (error instanceof WebAPIPlatformError && error.data.error === "message_not_found") return false;
    throw error;
  }
}

/** A card that was posted by somebody who crashed before saying so. */
const findCard = ({ client, place, facts, botId }: Desk, { createdAt, touchedAt }: LeasedCard) =>
  findPosted(client, {
    channelId: place.channelId,
    botId,
    eventType: EVENT_TYPE,
    key: ["approval", facts.approvalId],
    from: createdAt,
    until: touchedAt,
  });
