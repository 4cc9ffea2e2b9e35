import type { WebClient } from "@slack/web-api";
import { WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";
import type { SystemActor } from "@/server/domain/actor";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { type CardFacts, readCard } from "@/server/services/slack/card-facts";
import { leaseCard, recordCard } from "@/server/services/slack/cards";
import { listPlaces, openWorkspace, type Place } from "@/server/services/slack/workspaces";
import { systemActor } from "@/server/services/system-actor";
import { type Card, cardOf } from "@/slack/card/card";
import { isOpenChannel } from "@/slack/open-channel";
import { webClient } from "@/slack/web-client";

/** It cannot be done now: Slack asked for patience, or somebody else is at it. */
export class CardLater extends Error {
  override readonly name = "CardLater";
  readonly afterS: number;

  constructor(afterS: number, options?: ErrorOptions) {
    super("the card has to wait", options);
    this.afterS = afterS;
  }
}

const JOB = "slack-cards";
const BUSY_S = 2;
const MAX_ROUNDS = 5;
const EVENT_TYPE = "countersign_approval";

type Known = { readonly ts: string | null; readonly status: string; readonly isUnsure: boolean };
type Desk = { readonly client: WebClient; readonly place: Place; readonly facts: CardFacts; readonly card: Card };

const stateOf = ({ status, given }: CardFacts) => `${status}/${given}`;

/** Brings the cards of an approval to what the database says, wherever they are. Throws CardLater. */
export async function syncCards(orgId: string, approvalId: string): Promise<void> {
  const actor = systemActor(orgId, JOB);
  for (const place of await listPlaces(actor, { approvalId })) await syncCard(actor, place, approvalId);
}

/** The same right away, where durable work would do it anyway. Never throws. */
export async function syncSoon(orgId: string, approvalId: string): Promise<void> {
  try {
    await syncCards(orgId, approvalId);
  } catch (error) {
    if (!(error instanceof CardLater)) log.warn(errorFields(error), "a card was left to durable work");
  }
}

async function syncCard(actor: SystemActor, place: Place, approvalId: string): Promise<void> {
  const workspace = await openWorkspace(actor, { teamId: place.teamId });
  const client = webClient(workspace.token.expose());
  const key = { approvalId, teamId: place.teamId, channelId: place.channelId };
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const leased = await leaseCard(actor, key);
    if (leased === null) throw new CardLater(BUSY_S);
    const facts = await readCard(actor, { approvalId });
    let known: Known = { ts: leased.ts, status: leased.status, isUnsure: leased.isUnsure };
    try {
      const isOpen = place.channelId !== workspace.channelId || (await isOpenChannel(client, place));
      const url = `${env().PUBLIC_URL}/approvals/${approvalId}`;
      const desk = { client, place, facts, card: cardOf(facts, { url, isOpenChannel: isOpen }) };
      known = await bring(desk, known, { since: leased.createdAt, botId: workspace.botId });
    } catch (error) {
      await recordCard(actor, { ...key, ...known, isUnsure: known.isUnsure || !isDefinite(error) });
      throw patience(error);
    }
    await recordCard(actor, { ...key, ...known });
    // A decision that came while Slack was being told is told too.
    if (stateOf(await readCard(actor, { approvalId })) === stateOf(facts)) return;
  }
  throw new CardLater(BUSY_S);
}

/** Slack said no, so that nothing was posted; after anything else a message may be there. */
const isDefinite = (error: unknown) => error instanceof WebAPIPlatformError || error instanceof WebAPIRateLimitedError;

const patience = (error: unknown): unknown =>
  error instanceof WebAPIRateLimitedError ? new CardLater(Math.max(1, error.retryAfter), { cause: error }) : error;

type Search = { readonly since: Date; readonly botId: string };

async function bring(desk: Desk, known: Known, search: Search): Promise<Known> {
  const { facts } = desk;
  const ts = known.ts ?? (known.isUnsure ? await findPosted(desk, search) : null);
  const isBehind = known.ts === null || known.status !== facts.status || facts.given > 0;
  const isThere = ts !== null && (!isBehind || (await update(desk, ts)));
  if (isThere) return { ts, status: facts.status, isUnsure: false };
  // What ended before anybody was told, or whose card somebody deleted, needs none.
  if (facts.status !== "pending") return { ts: null, status: facts.status, isUnsure: false };
  return { ts: await post(desk), status: facts.status, isUnsure: false };
}

/** Our blocks are fewer kinds than Slack's; its own check is the last word. */
const shown = ({ card }: Desk) => ({ text: card.text, blocks: card.blocks as never });

async function post(desk: Desk): Promise<string> {
  const { client, place, facts } = desk;
  const { ts } = await client.chat.postMessage({
    channel: place.channelId,
    ...shown(desk),
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
    await client.chat.update({ channel: place.channelId, ts, ...shown(desk), metadata });
    return true;
  } catch (error) {
    if (error instanceof WebAPIPlatformError && error.data.error === "message_not_found") return false;
    throw error;
  }
}

/** A card that was posted by somebody who crashed before saying so. */
async function findPosted({ client, place, facts }: Desk, { since, botId }: Search): Promise<string | null> {
  const { messages = [] } = await client.conversations.history({
    channel: place.channelId,
    oldest: String(Math.floor(since.getTime() / 1_000) - 60),
    include_all_metadata: true,
    limit: 200,
  });
  const found = messages.find(({ bot_id, metadata }) => {
    const payload = metadata?.event_payload as { approval?: unknown } | undefined;
    return bot_id === botId && metadata?.event_type === EVENT_TYPE && payload?.approval === facts.approvalId;
  });
  return found?.ts ?? null;
}
