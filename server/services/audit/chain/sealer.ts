import { setTimeout as sleep } from "node:timers/promises";
import { oldestUnsealedSeconds, organizationsToSeal } from "@/server/db/audit-due";
import { errorFields, log } from "@/server/log";
import { BrokenChainError, sealOrganization } from "@/server/services/audit/chain/seal";

const INTERVAL_MS = 250;
/** How long an event may wait to be sealed before someone must look. */
const OVERDUE_S = 60;
/** One line a minute and cause is enough of an alarm. */
const ALARM_EVERY_MS = 60_000;

export type Swept = { readonly organizations: number; readonly sealed: number; readonly failed: number };

/** Seals whatever waits, organization by organization; one that fails does not hold up the others. */
export async function sweepSeals(): Promise<Swept> {
  const orgIds = await organizationsToSeal();
  let sealed = 0;
  let failed = 0;
  for (const orgId of orgIds) {
    try {
      sealed += await sealOrganization(orgId);
    } catch (error) {
      failed += 1;
      reportFailure(orgId, error);
    }
  }
  return { organizations: orgIds.length, sealed, failed };
}

/** Whether the log keeps up: for readiness, and an alarm when it does not. */
export async function auditLag(): Promise<{ readonly oldestSeconds: number; readonly isOverdue: boolean }> {
  const oldestSeconds = await oldestUnsealedSeconds();
  const isOverdue = oldestSeconds > OVERDUE_S;
  if (isOverdue) alarm("lag", () => log.error({ oldestSeconds }, "audit events stay unsealed"));
  return { oldestSeconds, isOverdue };
}

/** Seals every quarter of a second until stopped. `stop` waits for the round at work. Any number of processes may run one. */
export function startSealer(): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ended = run(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function run(stopping: AbortSignal): Promise<void> {
  let nextCheck = 0;
  while (!stopping.aborted) {
    try {
      await sweepSeals();
      if (Date.now() >= nextCheck) {
        nextCheck = Date.now() + ALARM_EVERY_MS / 4;
        await auditLag();
      }
    } catch (error) {
      alarm("sweep", () => log.error(errorFields(error), "audit events cannot be looked for"));
    }
    await sleep(INTERVAL_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}

function reportFailure(orgId: string, error: unknown): void {
  const message =
    error instanceof BrokenChainError
      ? "the audit chain does not end where its checkpoint says; it is not continued, verify it"
      : "audit events could not be sealed";
  alarm(orgId, () => log.error({ orgId, ...errorFields(error) }, message));
}

const MAX_REMEMBERED = 10_000;
const lastAlarms = new Map<string, number>();

function alarm(cause: string, write: () => void): void {
  const now = Date.now();
  if (now - (lastAlarms.get(cause) ?? 0) < ALARM_EVERY_MS) return;
  if (lastAlarms.size >= MAX_REMEMBERED) lastAlarms.clear();
  lastAlarms.set(cause, now);
  write();
}
