import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { personNameSchema } from "@/server/domain/password";
import { roleSchema } from "@/server/domain/roles";
import { versionSchema } from "@/server/domain/version";
import { auditSql } from "@/server/services/audit/record";
import { changesOf, given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { changedMeanwhile } from "@/server/services/failures";
import { databaseNow } from "@/server/services/identity/create-organization";
import { requireAuthorityOver, requireMayGive } from "@/server/services/identity/members/authority";
import { endAccess } from "@/server/services/identity/members/end-access";
import { lockMember } from "@/server/services/identity/members/lock-member";
import {
  MEMBER_COLUMNS,
  type MemberRow,
  type MemberView,
  memberView,
} from "@/server/services/identity/members/member-view";
import { letAgentsGoOn, stopAgents } from "@/server/services/identity/members/stop-agents";

const inputSchema = z.strictObject({
  id: idOf("member"),
  name: personNameSchema.optional(),
  role: roleSchema.optional(),
  isDisabled: z.boolean().optional(),
  /** The version that was read: a change that somebody else made since is not overwritten. */
  version: versionSchema.optional(),
});
type Input = z.output<typeof inputSchema>;

/**
 * Changes a person's name or role, or shuts them out and lets them in again, with the agents they answer for. There is
 * always an owner left.
 */
export const changeMember = command({
  name: "member.change",
  callers: ["member"],
  permission: "member:manage",
  input: inputSchema,
  run: (actor, input) => withOrgSql(actor.orgId, (q) => change(q, actor, input)),
});

async function change(q: OrgSql, actor: MemberActor, input: Input): Promise<MemberView> {
  // Before any row is locked, and so that no effect of their agents starts once this returns.
  if (input.isDisabled === true) await holdClaimsSql(q);
  const { before, owners } = await lockMember(q, input.id);
  if (input.version !== undefined && input.version !== before.version) throw changedMeanwhile("member");
  const fields = given({ name: input.name, role: input.role, isDisabled: input.isDisabled });
  const after = { ...before, ...fields };
  requireAuthorityOver(actor, before.role);
  if (after.role !== before.role) requireMayGive(actor, after.role);
  requireOwnerLeft(before, after, owners);
  if (after.isDisabled && !before.isDisabled && before.id === actor.memberId) {
    throw new AppError("conflict", "You cannot disable yourself.", { reason: "own_account" });
  }
  const { rows } = await q.query<MemberRow>(
    `UPDATE member SET name = $2, role = $3, disabled_at = CASE WHEN $4 THEN COALESCE(disabled_at, clock_timestamp()) END,
       version = version + 1 WHERE id = $1 RETURNING ${MEMBER_COLUMNS}`,
    [input.id, after.name, after.role, after.isDisabled],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the locked member is gone");
  await record(q, actor, before, after);
  if (after.isDisabled && !before.isDisabled) {
    await endAccess(q, input.id);
    await stopAgents(q, actor, input.id);
  }
  if (!after.isDisabled && before.isDisabled) await letAgentsGoOn(q, actor, input.id);
  return memberView(row);
}

type Changeable = Pick<MemberView, "id" | "name" | "role" | "isDisabled">;

function requireOwnerLeft(before: Changeable, after: Changeable, owners: number): void {
  const isOwner = (member: Changeable) => member.role === "owner" && !member.isDisabled;
  if (!isOwner(before) || isOwner(after) || owners > 1) return;
  throw new AppError("conflict", "This is the last owner. Make another first.", { reason: "last_owner" });
}

async function record(q: OrgSql, actor: MemberActor, before: Changeable, after: Changeable): Promise<void> {
  const at = await databaseNow(q);
  const member = before.id;
  if (after.isDisabled && !before.isDisabled) {
    await auditSql(q, { type: "member.disabled", actor, at, fields: { member } });
  }
  // A name is personal: that it changed is recorded, and the new one as a commitment.
  const { changed, from, to } = changesOf(
    { role: before.role, isDisabled: before.isDisabled },
    { role: after.role, isDisabled: after.isDisabled },
  );
  const isRenamed = after.name !== before.name;
  if (changed.length === 0 && !isRenamed) return;
  await auditSql(q, {
    type: "member.changed",
    actor,
    at,
    fields: { member, changed: [...changed, ...(isRenamed ? ["name"] : [])], from, to },
    ...(isRenamed ? { personal: { name: after.name } } : {}),
  });
}
