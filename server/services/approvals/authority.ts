import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { permissionsOfRole } from "@/server/domain/permission";

/**
 * Whether member `m` may decide, in SQL over `approval a`, its `tool_request r` and its `agent g`: by their role, or a
 * right that covers it, of this moment, and held since before it was asked.
 */
export const decides = (role: string): string =>
  `app.decides(m, a.created_at, ${role}, r.risk, r.action, r.connection_id, g.department_id)`;

/** The same without regard to when the authority came. */
const wouldDecide = (role: string): string =>
  `app.decides(m, 'infinity', ${role}, r.risk, r.action, r.connection_id, g.department_id)`;

/** Whether somebody sees only what a right of theirs covers: their role alone reads no approvals. */
export const seesByRight = (actor: MemberActor): boolean => !permissionsOfRole(actor.role).has("approval:read");

/** For a reader who sees by right: whether one covers it, over the same tables. `member` names the parameter. */
export const covered = (member: string): string =>
  `app.covers(${member}, 'infinity', r.risk, r.action, r.connection_id, g.department_id)`;

/** Whether a person's authority suffices for an approval, and whether it came too late. */
export type Authority = "held" | "later" | "none";

const OF = `SELECT a.id, ${decides("COALESCE($3, a.required_role)")} AS held, ${wouldDecide("COALESCE($3, a.required_role)")} AS would
  FROM approval a
  JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  JOIN member m ON m.org_id = a.org_id AND m.id = $1
  WHERE a.org_id = app.org_id() AND a.id = ANY ($2)`;

/** What a person may decide of these approvals; with `role`, as if each took that one. What is missing is `none`. */
export async function authorityOver(
  q: OrgSql,
  memberId: string,
  ids: readonly string[],
  role: string | null = null,
): Promise<ReadonlyMap<string, Authority>> {
  const { rows } = await q.query<{ id: string; held: boolean; would: boolean }>(OF, [memberId, ids, role]);
  return new Map(rows.map(({ id, held, would }) => [id, held ? "held" : would ? "later" : "none"]));
}

/** For who came to their authority after it was asked. */
export const GIVEN_LATER =
  "You were given the right to decide after this was asked. It takes somebody who had it then, or asking again.";
