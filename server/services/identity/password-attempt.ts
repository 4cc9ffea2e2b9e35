import type { OrgSql } from "@/server/db/with-org";

/** Failures in a row that lock an account, and for how long. */
const MAX_FAILURES = 5;
const LOCK = "15 minutes";

export type CountedAttempt = {
  readonly member_id: string;
  readonly name: string;
  readonly role: string;
  readonly password_hash: string;
  readonly failed_count: number;
  /** Set when this attempt, should it fail, is the one that locks. */
  readonly locked_until: Date | null;
  readonly now: Date;
};

// A lock that has ended starts the count anew.
const FAILURES = "(CASE WHEN locked_until IS NULL THEN failed_count ELSE 0 END + 1)";

type Whom = { readonly email: string } | { readonly memberId: string };

/**
 * Counts a failure before the password is looked at, by the database's clock and in one conditional update: of many
 * attempts at once no more are judged than the lock allows. Null where there is nothing to judge: nobody, disabled,
 * without a password, or locked.
 */
export async function countPasswordAttempt(q: OrgSql, whom: Whom): Promise<CountedAttempt | null> {
  const [column, value] = "email" in whom ? ["email", whom.email] : ["id", whom.memberId];
  const { rows } = await q.query<CountedAttempt>(
    `UPDATE member SET
       failed_count = ${FAILURES},
       locked_until = CASE WHEN ${FAILURES} >= $2 THEN clock_timestamp() + $3::interval END
     WHERE ${column} = $1 AND disabled_at IS NULL AND password_hash IS NOT NULL
       AND (locked_until IS NULL OR locked_until <= clock_timestamp())
     RETURNING id AS member_id, name, role, password_hash, failed_count, locked_until, clock_timestamp() AS now`,
    [value, MAX_FAILURES, LOCK],
  );
  return rows[0] ?? null;
}

/** Clears the count of a rightful attempt. False if the password or the account changed in between. */
export async function clearFailures(q: OrgSql, attempt: CountedAttempt): Promise<boolean> {
  const { rowCount } = await q.query(
    `UPDATE member SET failed_count = 0, locked_until = NULL
     WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL`,
    [attempt.member_id, attempt.password_hash],
  );
  return rowCount === 1;
}
