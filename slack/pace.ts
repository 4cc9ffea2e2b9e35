import type { Place } from "@/server/services/slack/workspaces";

const MAX_KEPT = 1_000;
const quietUntil = new Map<string, number>();
const keyOf = ({ teamId, channelId }: Place) => `${teamId}/${channelId}`;

/** Seconds for which a channel is still to be left alone, since Slack said so of another of its messages. */
export function quietFor(place: Place, nowMs = Date.now()): number {
  const until = quietUntil.get(keyOf(place)) ?? 0;
  return Math.max(0, Math.ceil((until - nowMs) / 1_000));
}

/** Slack asked for patience: nothing else is tried in that channel until then. */
export function keepQuiet(place: Place, afterS: number, nowMs = Date.now()): void {
  if (quietUntil.size >= MAX_KEPT) quietUntil.clear();
  quietUntil.set(keyOf(place), nowMs + afterS * 1_000);
}
