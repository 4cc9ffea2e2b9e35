import { auditLag, startSealer } from "@/server/services/audit/chain/sealer";
import { startDeploymentLease } from "@/server/services/controls/deployment-lease";
import { startCardKeeper } from "@/slack/keep";
import { startAlertKeeper } from "@/slack/keep-alerts";
import { startSocket } from "@/slack/keep-socket";
import { startDurableWork } from "./durable-work";
import type { ReadinessCheck } from "./readiness";
import { slackSocket } from "./readiness-checks";

export type Background = { readonly checks: readonly ReadinessCheck[]; stop(): Promise<void> };

const audit: ReadinessCheck = {
  name: "audit log",
  missing: async () => ((await auditLag()).isOverdue ? "audit log: events stay unsealed" : null),
};

/** Starts what this process does besides answering. The operator's stop comes first: nothing may run before it holds. */
export async function startBackground(): Promise<Background> {
  const lease = await startDeploymentLease();
  const sealer = startSealer();
  const work = await startDurableWork();
  const cards = startCardKeeper();
  const alerts = startAlertKeeper();
  const socket = startSocket();
  return {
    checks: [work.check, audit, slackSocket],
    stop: async () => {
      await socket.stop();
      await cards.stop();
      await alerts.stop();
      await work.stop();
      await sealer.stop();
      await lease.stop();
    },
  };
}
