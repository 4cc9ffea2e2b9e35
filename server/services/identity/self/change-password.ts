import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { newPasswordSchema, presentedPasswordSchema } from "@/server/domain/password";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { judgePassword, locked } from "@/server/services/identity/fresh-proof";
import { type CountedAttempt, clearFailures } from "@/server/services/identity/password-attempt";
import { hashPassword } from "@/server/services/identity/passwords";
import { endOtherSignIns } from "@/server/services/identity/self/sign-ins";

/** Changes one's own password, which takes the present one, and ends all other sign-ins. */
export const changePassword = command({
  name: "self.change_password",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ currentPassword: presentedPasswordSchema, newPassword: newPasswordSchema }),
  run: async (actor, { currentPassword, newPassword }) => {
    const counted = await judgePassword(actor, currentPassword, "currentPassword");
    return store(actor, counted, await hashPassword(newPassword));
  },
});

async function store(actor: MemberActor, counted: CountedAttempt, passwordHash: string): Promise<{ revoked: number }> {
  return withOrgSql(actor.orgId, async (q) => {
    if (!(await clearFailures(q, counted))) throw locked();
    const { rows } = await q.query<{ now: Date }>(
      "UPDATE member SET password_hash = $2, version = version + 1 WHERE id = $1 RETURNING clock_timestamp() AS now",
      [actor.memberId, passwordHash],
    );
    const fields = { member: actor.memberId, changed: ["password"] };
    await auditSql(q, { type: "member.changed", actor, at: rows[0]?.now ?? counted.now, fields });
    return { revoked: await endOtherSignIns(q, actor, "password_changed") };
  });
}
