import { organizationsWithRefusals } from "@/server/db/audit-due";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { AuditEntry } from "@/server/domain/audit";
import { errorFields, log } from "@/server/log";
import { auditSql } from "@/server/services/audit/record";
import { systemActor } from "@/server/services/system-actor";

const MAX_SUBJECTS = 50;

type Count = {
  readonly minute: Date;
  readonly kind: string;
  readonly subject: string;
  readonly count: number;
  readonly now: Date;
};

/**
 * Turns the calls that were turned away before there was a request into one entry a minute and kind. A minute is taken
 * half a minute after its end, when no statement that counts in it can still be running. Returns the entries written.
 */
export async function recordRefusals(): Promise<number> {
  let written = 0;
  for (const orgId of await organizationsWithRefusals()) {
    try {
      written += await withOrgSql(orgId, recordMinutes);
    } catch (error) {
      log.error({ orgId, ...errorFields(error) }, "refused calls could not be recorded");
    }
  }
  return written;
}

async function recordMinutes(q: OrgSql): Promise<number> {
  const { rows } = await q.query<Count>(
    `UPDATE refusal_count SET recorded_at = clock_timestamp()
     WHERE org_id = $1 AND recorded_at IS NULL AND minute < clock_timestamp() - interval '90 seconds'
     RETURNING minute, kind, subject, count, now() AS now`,
    [q.orgId],
  );
  const byMinute = new Map<string, Count[]>();
  for (const row of rows) {
    const key = `${row.minute.toISOString()} ${row.kind}`;
    byMinute.set(key, [...(byMinute.get(key) ?? []), row]);
  }
  const entries = [...byMinute.values()].map((counts) => entryOf(q.orgId, counts));
  await auditSql(
    q,
    entries.sort((a, b) => (a.fields.minute < b.fields.minute ? -1 : 1)),
  );
  return entries.length;
}

function entryOf(orgId: string, counts: readonly Count[]): Extract<AuditEntry, { type: "calls.refused" }> {
  const [first] = counts;
  if (first === undefined) throw new Error("a group has a member");
  const most = [...counts].sort((a, b) => b.count - a.count).slice(0, MAX_SUBJECTS);
  return {
    type: "calls.refused",
    actor: systemActor(orgId, "seal-audit"),
    at: first.now,
    fields: {
      kind: first.kind,
      minute: first.minute.toISOString(),
      count: counts.reduce((sum, { count }) => sum + count, 0),
      subjects: most.map(({ subject, count }) => `${subject} ${count}`),
    },
  };
}
