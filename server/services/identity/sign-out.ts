import { withOrgSql } from "@/server/db/with-org";
import { permissionsOfRole } from "@/server/domain/permission";
import { roleSchema } from "@/server/domain/roles";
import { auditSql } from "@/server/services/audit/record";
import { hashSecret } from "@/server/services/identity/keys";
import type { SignInClaims } from "@/server/services/identity/sign-in-cookie";

type Ended = { member_id: string; name: string; role: string; revoked_at: Date };

/** Ends the sign-in that a cookie proves. Nothing happens if it has ended already. */
export async function signOut({ org, sid, secret }: SignInClaims): Promise<void> {
  await withOrgSql(org, async (q) => {
    const { rows } = await q.query<Ended>(
      `UPDATE sign_in s SET revoked_at = clock_timestamp() FROM member m
       WHERE s.id = $1 AND s.secret_hash = $2 AND s.revoked_at IS NULL AND m.org_id = s.org_id AND m.id = s.member_id
       RETURNING m.id AS member_id, m.name, m.role, s.revoked_at`,
      [sid, hashSecret(secret)],
    );
    const [ended] = rows;
    if (ended === undefined) return;
    const role = roleSchema.parse(ended.role);
    await auditSql(q, {
      type: "sign_in.ended",
      actor: {
        kind: "member",
        orgId: org,
        memberId: ended.member_id,
        name: ended.name,
        role,
        via: "sign_in",
        credentialId: sid,
        permissions: permissionsOfRole(role),
      },
      at: ended.revoked_at,
      fields: { signIn: sid },
    });
  });
}
