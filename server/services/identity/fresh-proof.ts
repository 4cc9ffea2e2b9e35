import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { clearFailures, countPasswordAttempt } from "@/server/services/identity/password-attempt";
import { recordWrongPassword } from "@/server/services/identity/password-record";
import { verifyPassword } from "@/server/services/identity/passwords";

const locked = () =>
  new AppError("rate_limited", "The account is locked after too many wrong passwords.", {
    reason: "account_locked",
    retryAfterS: 900,
  });

/**
 * Asks a signed-in person for their password once more, counted and locked like any sign-in. Throws AppError
 * `wrong_password`, `account_locked`.
 */
export async function proveAnew(actor: MemberActor, password: string): Promise<void> {
  const counted = await withOrgSql(actor.orgId, (q) => countPasswordAttempt(q, { memberId: actor.memberId }));
  if (counted === null) throw locked();
  if (!(await verifyPassword(counted.password_hash, password))) {
    await withOrgSql(actor.orgId, (q) => recordWrongPassword(q, counted, { address: "", actor }));
    throw new AppError("invalid", "password: is not right", { reason: "wrong_password", field: "password" });
  }
  if (!(await withOrgSql(actor.orgId, (q) => clearFailures(q, counted)))) throw locked();
}
