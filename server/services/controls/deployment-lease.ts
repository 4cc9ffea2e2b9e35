import { randomUUID } from "node:crypto";
import { leaseDeploymentLevel, organizationIdsAfter } from "@/server/db/deployment-control";
import { withOrgSql } from "@/server/db/with-org";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { auditSql } from "@/server/services/audit/record";
import type { KillLevel } from "@/server/services/controls/control-row";
import { databaseNow } from "@/server/services/identity/create-organization";
import { systemActor } from "@/server/services/system-actor";

const RENEW_MS = 5_000;
const LEASE_S = 15;
const BATCH = 200;

export type DeploymentLease = {
  /** Ends the renewing. The lease itself runs out: a restart must not open a gap in a stop. */
  readonly stop: () => Promise<void>;
};

const NOTHING: DeploymentLease = { stop: async () => undefined };

type Options = { readonly renewMs?: number; readonly leaseS?: number };

/**
 * Where the environment of this process holds a kill switch, makes every replica obey it: a row that counts for 15
 * seconds and is renewed every 5. Returns once it holds; throws if the first lease cannot be taken, since serving
 * without it would be serving against the operator's word.
 */
export async function startDeploymentLease({
  renewMs = RENEW_MS,
  leaseS = LEASE_S,
}: Options = {}): Promise<DeploymentLease> {
  const level = env().KILL_SWITCH;
  if (level === undefined) return NOTHING;
  const lease = { replica: randomUUID(), level, leaseS };
  await leaseDeploymentLevel(lease);
  log.warn({ level, replica: lease.replica }, "the kill switch of the environment is on");
  const record = recordEverywhere(level, lease.replica);
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew(lease);
  }, renewMs);
  timer.unref();
  const stop = async () => {
    clearInterval(timer);
    await Promise.all([renewing, record]);
  };
  return { stop };
}

/** A lease that is lost for now is taken again at the next turn; meanwhile this process still obeys its environment. */
async function renew(lease: { replica: string; level: KillLevel; leaseS: number }): Promise<void> {
  try {
    await leaseDeploymentLevel(lease);
  } catch (error) {
    log.error({ replica: lease.replica, ...errorFields(error) }, "the kill switch of the environment was not renewed");
  }
}

/** Leaves an entry in every organization's log. The stop itself does not wait for it. */
async function recordEverywhere(level: KillLevel, replica: string): Promise<void> {
  try {
    let last = "";
    for (;;) {
      const ids = await organizationIdsAfter(last, BATCH);
      for (const orgId of ids) await recordIn(orgId, { level, replica });
      last = ids.at(-1) ?? last;
      if (ids.length < BATCH) return;
    }
  } catch (error) {
    log.error({ replica, ...errorFields(error) }, "the kill switch of the environment was not recorded everywhere");
  }
}

const recordIn = (orgId: string, fields: { level: KillLevel; replica: string }): Promise<void> =>
  withOrgSql(orgId, async (q) => {
    const actor = systemActor(orgId, "deployment");
    await auditSql(q, { type: "deployment.kill_switch", actor, at: await databaseNow(q), fields });
  });
