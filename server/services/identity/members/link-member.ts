import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { databaseNow } from "@/server/services/identity/create-organization";
import { requireMayGive } from "@/server/services/identity/members/authority";
import { lockMember } from "@/server/services/identity/members/lock-member";
import { makeSetupLink } from "@/server/services/identity/setup-links";

/**
 * A new link for somebody who lost the first, or their password. Whoever holds it takes the account over, so it asks
 * for the authority to give the account's role.
 */
export const linkMember = command({
  name: "member.link",
  callers: ["member"],
  permission: "member:manage",
  input: z.strictObject({ id: idOf("member") }),
  run: (actor, { id }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { before } = await lockMember(q, id);
      requireMayGive(actor, before.role);
      if (before.isDisabled) throw new AppError("conflict", "This member is disabled.", { reason: "member_disabled" });
      const { url: link, expiresAt: linkExpiresAt } = await makeSetupLink(q, id);
      await auditSql(q, {
        type: "member.changed",
        actor,
        at: await databaseNow(q),
        fields: { member: id, changed: ["setup_link"] },
      });
      return { id, link, linkExpiresAt };
    }),
});
