import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { type CountedAttempt, clearFailures, countPasswordAttempt } from "@/server/services/identity/password-attempt";
import { recordWrongPassword } from "@/server/services/identity/password-record";
import { verifyPassword } from "@/server/services/identity/passwords";

/** For a password that is not looked at any more. */
export const locked = () =>
  new AppError("rate_limited", "The account is locked after too many wrong passwords.", {
    reason: "account_locked",
    retryAfterS: 900,
  });

/**
 * Judges the present password of somebody who is signed in, counted and locked like any sign-in. The count is cleared by
 * `clearFailures` with what is returned. `field` is the input it came in. Throws AppError `wrong_password`, `account_locked`.
 */
export async function judgePassword(actor: MemberActor, password: string, field: string): Promise<CountedAttempt> {
  const counted = await withOrgSql(actor.orgId, (q) => countPasswordAttempt(q, { memberId: actor.memberId }));
  if (counted === null) throw locked();
  if (await verifyPassword(counted.password_hash, password)) return counted;
  await withOrgSql(actor.orgId, (q) => recordWrongPassword(q, counted, { address: "", actor }));
  throw new AppError("invalid", `${field}: is not right`, { reason: "wrong_password", field });
}

/** Asks a signed-in person for their password once more. Throws as `judgePassword` does. */
export async function proveAnew(actor: MemberActor, password: string): Promise<void> {
  const counted = await judgePassword(actor, password, "password");
  if (!(await withOrgSql(actor.orgId, (q) => clearFailures(q, counted)))) throw locked();
}
