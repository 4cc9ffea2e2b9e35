import type { OrgSql } from "@/server/db/with-org";
import type { AuditActor, AuditEntry } from "@/server/domain/audit";
import { auditSql } from "@/server/services/audit/record";
import type { CountedAttempt } from "@/server/services/identity/password-attempt";

type By = { readonly address: string; readonly actor?: AuditActor };

/**
 * Records a wrong password, and the lock if this was the one too many. What was not even judged is only counted: a
 * flood must not become a flood of entries.
 */
export async function recordWrongPassword(q: OrgSql, counted: CountedAttempt | null, by: By): Promise<void> {
  if (counted === null) {
    await q.query("SELECT app.count_refusal('unauthenticated', 'sign_in')");
    return;
  }
  const { member_id: member, now: at, locked_until: until, failed_count: failures } = counted;
  const common = {
    actor: by.actor ?? ({ kind: "anonymous" } as const),
    at,
    personId: member,
    ...(by.address === "" ? {} : { personal: { address: by.address } }),
  };
  const entries: AuditEntry[] = [{ ...common, type: "sign_in.failed", fields: { code: "wrong_password", member } }];
  if (until) {
    entries.push({ ...common, type: "sign_in.locked", fields: { member, until: until.toISOString(), failures } });
  }
  await auditSql(q, entries);
}
