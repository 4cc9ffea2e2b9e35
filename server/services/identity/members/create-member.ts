import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { emailSchema, personNameSchema } from "@/server/domain/password";
import { roleSchema } from "@/server/domain/roles";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { onTaken } from "@/server/services/failures";
import { requireMayGive } from "@/server/services/identity/members/authority";
import { MEMBER_COLUMNS, type MemberRow, memberView } from "@/server/services/identity/members/member-view";
import { makeSetupLink } from "@/server/services/identity/setup-links";

/** Invites a person: the answer holds a link, shown once, by which they choose a password. */
export const createMember = command({
  name: "member.create",
  callers: ["member"],
  permission: "member:manage",
  input: z.strictObject({ email: emailSchema, name: personNameSchema, role: roleSchema }),
  run: async (actor, { email, name, role }) => {
    requireMayGive(actor, role);
    return onTaken("A member with this e-mail address", () =>
      withOrgSql(actor.orgId, async (q) => {
        const { rows } = await q.query<MemberRow>(
          `INSERT INTO member (id, org_id, email, name, role) VALUES ($1, $2, $3, $4, $5) RETURNING ${MEMBER_COLUMNS}`,
          [newId("member"), actor.orgId, email, name, role],
        );
        const [row] = rows;
        if (row === undefined) throw new Error("the new member was not returned");
        await auditSql(q, {
          type: "member.created",
          actor,
          at: row.created_at,
          fields: { member: row.id, role },
          personal: { name, email },
        });
        const { url: link, expiresAt: linkExpiresAt } = await makeSetupLink(q, row.id);
        return { ...memberView(row), link, linkExpiresAt };
      }),
    );
  },
});
