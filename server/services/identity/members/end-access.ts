import type { OrgSql } from "@/server/db/with-org";

/** Ends every way in that a person has: sign-ins, tokens and open links. For agents and their keys see `stop-agents`. */
export async function endAccess(q: OrgSql, memberId: string): Promise<void> {
  await q.query("UPDATE sign_in SET revoked_at = clock_timestamp() WHERE member_id = $1 AND revoked_at IS NULL", [
    memberId,
  ]);
  await q.query(
    "UPDATE personal_token SET revoked_at = clock_timestamp() WHERE member_id = $1 AND revoked_at IS NULL",
    [memberId],
  );
  await q.query(
    `UPDATE setup_link SET expires_at = clock_timestamp()
     WHERE member_id = $1 AND used_at IS NULL AND expires_at > clock_timestamp()`,
    [memberId],
  );
}
