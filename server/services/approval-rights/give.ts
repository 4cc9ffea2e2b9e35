import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { findAction } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import { rightScopeFields } from "@/server/domain/approval-right";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { type RightView, readRight } from "@/server/services/approval-rights/right-view";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { invalidField } from "@/server/services/failures";
import { databaseNow } from "@/server/services/identity/create-organization";
import { requireMayGive } from "@/server/services/identity/members/authority";
import { lockMember } from "@/server/services/identity/members/lock-member";

const inputSchema = z.strictObject({ member: idOf("member"), ...rightScopeFields });
type Input = z.output<typeof inputSchema>;

/**
 * Lets a member decide up to a risk, within a scope, as an approver does. Nothing that was asked before is theirs to
 * decide. Throws `conflict` for who is no active member, `forbidden` for a giver who may not decide all of that.
 */
export const giveRight = command({
  name: "approval_right.give",
  callers: ["member"],
  permission: "member:manage",
  input: inputSchema,
  run: (actor, input) => {
    // As wide as a right can be, it is an approver's: whoever may make an approver may give it.
    requireMayGive(actor, "approver");
    return withOrgSql(actor.orgId, (q) => give(q, actor, input));
  },
});

async function give(q: OrgSql, actor: MemberActor, input: Input): Promise<RightView> {
  const { before } = await lockMember(q, input.member);
  if (before.role !== "member") throw conflict("not_a_member", "A right to approve is for the role member alone.");
  if (before.isDisabled) throw conflict("disabled", "This member is disabled.");
  await requireGiver(q, actor);
  await requireKnown(q, input);
  const id = newId("approvalRight");
  const { member, maxRisk, departments, actions, connections } = input;
  await q.query(
    `INSERT INTO approval_right (id, org_id, member_id, max_risk, departments, actions, connections, given_by)
     VALUES ($1, app.org_id(), $2, $3, $4, $5, $6, $7)`,
    [id, member, maxRisk, departments, actions, connections, actor.memberId],
  );
  const scope = { departments: departments ?? [], actions: actions ?? [], connections: connections ?? [] };
  const fields = { right: id, member, maxRisk, ...scope };
  await auditSql(q, { type: "approval_right.given", actor, at: await databaseNow(q), fields });
  const right = await readRight(q, id);
  if (right === null) throw new Error("the right that was given is there");
  return right;
}

/** The giver's role of this moment, kept so until the right is there. */
async function requireGiver(q: OrgSql, actor: MemberActor): Promise<void> {
  const { rows } = await q.query(
    "SELECT 1 FROM member WHERE id = $1 AND disabled_at IS NULL AND app.rank(role) >= app.rank('admin') FOR SHARE",
    [actor.memberId],
  );
  if (rows.length === 0) throw new AppError("forbidden", "This takes the role admin.", { reason: "role_required" });
}

/** What a right names must exist: a name that nothing has could later be somebody else's. */
async function requireKnown(q: OrgSql, { departments, actions, connections }: Input): Promise<void> {
  if (actions?.some((action) => findAction(action) === null)) throw invalidField("actions", "names an unknown action");
  const tables = { departments: "department", connections: "connection" } as const;
  for (const [field, ids] of Object.entries({ departments, connections })) {
    if (ids === null) continue;
    const table = tables[field as keyof typeof tables];
    const { rows } = await q.query(`SELECT id FROM ${table} WHERE id = ANY ($1)`, [ids]);
    if (rows.length < ids.length) throw invalidField(field, `names an unknown ${table}`);
  }
}

const conflict = (reason: string, message: string) => new AppError("conflict", message, { reason });
