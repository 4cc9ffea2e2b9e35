import type { OrgTx } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { invalidField, notFound } from "@/server/services/failures";

/** Who may own an agent: a member who is not disabled and may do more than read. Throws `invalid`. */
export async function requireOwner(tx: OrgTx, memberId: string): Promise<void> {
  const role = await lockActive(tx, memberId);
  if (role === null || role === "auditor") {
    throw invalidField("ownerId", "must be an active member other than an auditor");
  }
}

/**
 * Whether a member is there and not disabled, true until this transaction ends: disabling them waits, and then finds
 * what was made here. To be asked before an agent's row is locked, since disabling locks the member first.
 */
export const isActiveMember = async (tx: OrgTx, memberId: string): Promise<boolean> =>
  (await lockActive(tx, memberId)) !== null;

async function lockActive(tx: OrgTx, memberId: string): Promise<string | null> {
  const [member] = await tx.$queryRaw<{ role: string }[]>`
    SELECT role FROM member WHERE id = ${memberId} AND disabled_at IS NULL FOR KEY SHARE`;
  return member?.role ?? null;
}

/** Throws `invalid` unless the department is the organization's. */
export async function requireDepartment(tx: OrgTx, departmentId: string | null | undefined): Promise<void> {
  if (departmentId === null || departmentId === undefined) return;
  const department = await tx.department.findUnique({ where: { id: departmentId }, select: { id: true } });
  if (!department) throw invalidField("departmentId", "must be a department of this organization");
}

type Owned = { readonly id: string; readonly name: string; readonly owner_id: string };

/**
 * Locks an agent's row and lets through its owner and whoever manages agents. References to the row stay possible.
 * Throws `not_found`, `forbidden`.
 */
export async function lockForKeys(tx: OrgTx, actor: MemberActor, agentId: string): Promise<Owned> {
  const [agent] = await tx.$queryRaw<Owned[]>`
    SELECT id, name, owner_id FROM agent WHERE id = ${agentId} FOR NO KEY UPDATE`;
  if (!agent) throw notFound("agent");
  requireKeyholder(actor, agent.owner_id);
  return agent;
}

function requireKeyholder(actor: MemberActor, ownerId: string): void {
  if (actor.memberId === ownerId || actor.permissions.has("agent:manage")) return;
  throw new AppError("forbidden", "Only the agent's owner and admins manage its keys.", { reason: "not_permitted" });
}
