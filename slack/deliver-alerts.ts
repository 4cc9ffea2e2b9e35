import type { WebClient } from "@slack/web-api";
import { WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";
import type { SystemActor } from "@/server/domain/actor";
import { problemOf } from "@/server/domain/slack-problem";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { type LeasedAlert, leaseAlert, noteAlertsProblem, recordAlert } from "@/server/services/slack/alerts";
import { alertsDue } from "@/server/services/slack/alerts-due";
import { openWorkspace } from "@/server/services/slack/workspaces";
import { systemActor } from "@/server/services/system-actor";
import { alertCard } from "@/slack/card/alert";
import type { Card } from "@/slack/card/card";
import { isDefinite } from "@/slack/definite";
import { CardLater } from "@/slack/deliver";
import { findPosted } from "@/slack/find-posted";
import { isOpenChannel } from "@/slack/open-channel";
import { webClient } from "@/slack/web-client";

const JOB = "slack-alerts";
const EVENT_TYPE = "countersign_alert";
/** What fails for another reason than Slack's pace is tried again after so long. */
const AGAIN_S = 60;
/** What one call tells at most; the next finds the rest. */
const MOST = 200;

/** Tells an organization's alerts, the oldest first, each once. Throws CardLater where Slack asked for patience. */
export async function deliverAlerts(orgId: string): Promise<void> {
  const actor = systemActor(orgId, JOB);
  for (let count = 0; count < MOST; count += 1) {
    const leased = await leaseAlert(actor, {});
    if (leased === null) return;
    await deliver(actor, leased);
  }
}

/** The same for every organization with something to tell. Never throws. */
export async function sweepAlerts(): Promise<number> {
  const due = await alertsDue();
  for (const organizationId of due) {
    try {
      await deliverAlerts(organizationId);
    } catch (error) {
      const wait = error instanceof CardLater ? { afterS: error.afterS } : errorFields(error);
      log.warn({ organizationId, ...wait }, "an alert in Slack was left for later");
    }
  }
  return due.length;
}

async function deliver(actor: SystemActor, leased: LeasedAlert): Promise<void> {
  const { eventId, teamId, hasProblem } = leased;
  const back = { eventId, teamId };
  let isUnsure = leased.unsureIn !== null;
  try {
    const { token, botId } = await openWorkspace(actor, { teamId });
    const client = webClient(token.expose());
    const found = isUnsure ? await findAlert(client, leased, botId) : null;
    // Nothing is there for certain: whoever takes it next posts where alerts go now.
    if (isUnsure && found === null) return await recordAlert(actor, { ...back, ts: null, isUnsure: false, afterS: 0 });
    const card = found === null ? await cardOf(client, leased) : null;
    isUnsure = isUnsure || card !== null;
    const ts = card === null ? found : await post(client, leased, card);
    await recordAlert(actor, { ...back, ts, isUnsure: false, afterS: 0 });
    if (hasProblem) await noteAlertsProblem(actor, { teamId, problem: null });
  } catch (error) {
    await putOff(actor, leased, isUnsure, error);
  }
}

/** What lasts is noted for admins; what was asked of us is done. Everything is tried again. */
async function putOff(actor: SystemActor, leased: LeasedAlert, wasTried: boolean, error: unknown): Promise<void> {
  const { eventId, teamId, unsureIn } = leased;
  const afterS = error instanceof WebAPIRateLimitedError ? Math.max(1, error.retryAfter) : AGAIN_S;
  const isUnsure = unsureIn !== null || (wasTried && !isDefinite(error));
  await recordAlert(actor, { eventId, teamId, ts: null, isUnsure, afterS });
  if (error instanceof WebAPIRateLimitedError) throw new CardLater(afterS, { cause: error });
  const problem = error instanceof WebAPIPlatformError ? problemOf(String(error.data.error)) : null;
  if (problem !== null) return noteAlertsProblem(actor, { teamId, problem });
  log.warn({ organizationId: actor.orgId, teamId, ...errorFields(error) }, "an alert in Slack was left for later");
}

async function cardOf(
  client: WebClient,
  { event, teamId, channelId, actorName, agentName }: LeasedAlert,
): Promise<Card> {
  if (event === null) throw new Error("the event of an alert is not what we write");
  const isOpen = await isOpenChannel(client, { teamId, channelId });
  return alertCard({ event, actorName, agentName }, { publicUrl: env().PUBLIC_URL, isOpenChannel: isOpen });
}

async function post(client: WebClient, { eventId, channelId }: LeasedAlert, card: Card): Promise<string> {
  const { ts } = await client.chat.postMessage({
    channel: channelId,
    text: card.text,
    blocks: card.blocks as never,
    unfurl_links: false,
    unfurl_media: false,
    metadata: { event_type: EVENT_TYPE, event_payload: { event: eventId } },
  });
  if (ts === undefined) throw new Error("Slack posted a message without a name");
  return ts;
}

/** An alert that was posted by somebody who crashed before saying so. */
const findAlert = (client: WebClient, { eventId, unsureIn, channelId, createdAt }: LeasedAlert, botId: string) =>
  findPosted(client, {
    channelId: unsureIn ?? channelId,
    botId,
    eventType: EVENT_TYPE,
    key: ["event", eventId],
    from: createdAt,
    until: null,
  });
