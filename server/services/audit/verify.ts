import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor, SystemActor } from "@/server/domain/actor";
import type { Head } from "@/server/services/audit/chain/hashes";
import { type AuditReport, verifyAudit } from "@/server/services/audit/chain/verify";
import { auditSql } from "@/server/services/audit/record";
import { takeTurn } from "@/server/services/audit/turns";
import { command } from "@/server/services/command";

const running = new Map<string, Promise<AuditReport>>();

/** Recomputes the organization's log, once for all who ask meanwhile and a few times a minute, and records that and with which result. */
export const verifyAuditLog = command({
  name: "audit.verify",
  callers: ["member"],
  permission: "audit:read",
  input: z.strictObject({}),
  run: async (actor) => {
    const current = running.get(actor.orgId) ?? begin(actor.orgId).finally(() => running.delete(actor.orgId));
    running.set(actor.orgId, current);
    return recorded(actor, await current);
  },
});

async function begin(orgId: string): Promise<AuditReport> {
  await takeTurn(orgId, "audit.verify");
  return verifyAudit(orgId);
}

/** The same for the operator, who may hold it against a size and head kept elsewhere. */
export async function verifyAgainst(actor: SystemActor, known: Head | undefined): Promise<AuditReport> {
  return recorded(actor, await verifyAudit(actor.orgId, known));
}

async function recorded(actor: MemberActor | SystemActor, report: AuditReport): Promise<AuditReport> {
  const { intact, entries, firstFault } = report;
  const fault = firstFault ? { faultIndex: firstFault.index, faultKind: firstFault.kind } : {};
  await withOrgSql(actor.orgId, async (q) => {
    const { rows } = await q.query<{ now: Date }>("SELECT now() AS now");
    const at = rows[0]?.now ?? new Date();
    await auditSql(q, { type: "audit.verified", actor, at, fields: { intact, entries, ...fault } });
  });
  return report;
}
