import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { newPasswordSchema } from "@/server/domain/password";
import { auditSql } from "@/server/services/audit/record";
import { invalid } from "@/server/services/command";
import { countAttempt } from "@/server/services/identity/attempt-limits";
import { hashPassword } from "@/server/services/identity/passwords";
import {
  linkNotValid,
  requireSetupLink,
  setupKey,
  setupKeySchema,
  useSetupLink,
} from "@/server/services/identity/setup-links";

const inputSchema = z.strictObject({ token: setupKeySchema, password: newPasswordSchema });
export type InvitationInput = z.input<typeof inputSchema>;

/**
 * Sets the password of whoever was invited, once, and ends every sign-in that an earlier password began. Throws
 * AppError `invalid`, `link_not_valid`, `rate_limited`.
 */
export async function acceptInvitation(
  raw: InvitationInput,
  from: { readonly address: string },
): Promise<{ email: string }> {
  await countAttempt({ address: from.address, email: "" });
  const parsed = inputSchema.safeParse(raw);
  if (!parsed.success) throw invalid(parsed.error);
  const key = setupKey(parsed.data.token);
  await requireSetupLink(key, "member");
  const passwordHash = await hashPassword(parsed.data.password);
  return withOrgSql(key.orgId, async (q) => {
    const memberId = await useSetupLink(q, key, "member");
    const { rows } = await q.query<{ id: string; email: string; now: Date }>(
      `UPDATE member SET password_hash = $2, failed_count = 0, locked_until = NULL, version = version + 1
       WHERE id = $1 AND disabled_at IS NULL RETURNING id, email, clock_timestamp() AS now`,
      [memberId, passwordHash],
    );
    const [member] = rows;
    if (member === undefined) throw linkNotValid();
    await q.query("UPDATE sign_in SET revoked_at = clock_timestamp() WHERE member_id = $1 AND revoked_at IS NULL", [
      member.id,
    ]);
    await auditSql(q, {
      type: "member.changed",
      actor: { kind: "anonymous" },
      at: member.now,
      personId: member.id,
      fields: { member: member.id, changed: ["password"] },
      ...(from.address === "" ? {} : { personal: { address: from.address } }),
    });
    return { email: member.email };
  });
}
