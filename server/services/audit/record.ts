import type { OrgSql, OrgTx } from "@/server/db/with-org";
import type { AuditEntry } from "@/server/domain/audit";
import { type AuditRow, canonicalEvent } from "@/server/services/audit/canonical";

/** Writes entries in the transaction of what they record: both are kept, or neither. */
export async function audit(tx: OrgTx, entries: AuditEntry | readonly AuditEntry[]): Promise<void> {
  const rows = auditJson(tx.orgId, entries);
  if (rows.length > 0) await tx.$executeRaw`SELECT app.write_audit(${JSON.stringify(rows)}::jsonb)`;
}

/** `audit` on a plain connection. */
export async function auditSql(q: OrgSql, entries: AuditEntry | readonly AuditEntry[]): Promise<void> {
  const rows = auditJson(q.orgId, entries);
  if (rows.length > 0) await q.query("SELECT app.write_audit($1::jsonb)", [JSON.stringify(rows)]);
}

/** Entries ready for `app.write_audit`, for the functions of the database that write them within their own transaction. */
export function auditJson(orgId: string, entries: AuditEntry | readonly AuditEntry[]): AuditRow[] {
  return ("type" in entries ? [entries] : entries).map((entry) => canonicalEvent(orgId, entry));
}
