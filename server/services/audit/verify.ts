import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { type AuditReport, verifyAudit } from "@/server/services/audit/chain/verify";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";

const running = new Map<string, Promise<AuditReport>>();

/** Recomputes the organization's log, once for all who ask meanwhile, and records that and with which result. */
export const verifyAuditLog = command({
  name: "audit.verify",
  callers: ["member"],
  permission: "audit:read",
  input: z.strictObject({}),
  run: async (actor) => {
    const report = await shared(actor.orgId);
    await recordReport(actor, report);
    return report;
  },
});

function shared(orgId: string): Promise<AuditReport> {
  const current = running.get(orgId) ?? verifyAudit(orgId).finally(() => running.delete(orgId));
  running.set(orgId, current);
  return current;
}

async function recordReport(actor: MemberActor, { intact, entries, firstFault }: AuditReport): Promise<void> {
  const fault = firstFault ? { faultIndex: firstFault.index, faultKind: firstFault.kind } : {};
  await withOrgSql(actor.orgId, async (q) => {
    const { rows } = await q.query<{ now: Date }>("SELECT now() AS now");
    const at = rows[0]?.now ?? new Date();
    await auditSql(q, { type: "audit.verified", actor, at, fields: { intact, entries, ...fault } });
  });
}
