import type { OrgSql } from "@/server/db/with-org";
import type { Risk } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import { permissionsOfRole } from "@/server/domain/permission";

/**
 * Whether member `m` may decide, in SQL over `approval a`, its `tool_request r` and its `agent g`: by their role, or a
 * right that covers it, of this moment, and held since before it was first asked.
 */
export const decides = (role: string, risk = "r.risk"): string =>
  `app.decides(m, a.asked_at, ${role}, ${risk}, r.action, r.connection_id, g.department_id)`;

/** The same without regard to when the authority came. */
const wouldDecide = (role: string, risk: string): string =>
  `app.decides(m, 'infinity', ${role}, ${risk}, r.action, r.connection_id, g.department_id)`;

/** Whether somebody sees only what a right of theirs covers: their role alone reads no approvals. */
export const seesByRight = (actor: MemberActor): boolean => !permissionsOfRole(actor.role).has("approval:read");

/** For a reader who sees by right: whether one covers it, over the same tables. `member` names the parameter. */
export const covered = (member: string): string =>
  `app.covers(${member}, 'infinity', r.risk, r.action, r.connection_id, g.department_id)`;

/** Whether an approval is there for a reader: of the organization, and covered for who sees by right. */
export async function seesApproval(q: OrgSql, actor: MemberActor, id: string): Promise<boolean> {
  const seen = seesByRight(actor) ? covered("$1") : "$1::text IS NOT NULL";
  const { rowCount } = await q.query(
    `SELECT 1 FROM approval a
     JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
     JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
     WHERE a.org_id = app.org_id() AND a.id = $2 AND ${seen}`,
    [actor.memberId, id],
  );
  return rowCount === 1;
}

/** Whether a person's authority suffices for an approval, and whether it came too late. */
export type Authority = "held" | "later" | "none";

const ROLE = "COALESCE($3, a.required_role)";
const RISK = "COALESCE($4, r.risk)";

const OF = `SELECT a.id, ${decides(ROLE, RISK)} AS held, ${wouldDecide(ROLE, RISK)} AS would
  FROM approval a
  JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  JOIN member m ON m.org_id = a.org_id AND m.id = $1
  WHERE a.org_id = app.org_id() AND a.id = ANY ($2)`;

/** What an approval is taken to ask for: an edit may raise either. */
type AsIf = { readonly role?: string; readonly risk?: Risk };

/** What a person may decide of these approvals; with `asIf`, as if each took that. What is missing is `none`. */
export async function authorityOver(
  q: OrgSql,
  memberId: string,
  ids: readonly string[],
  asIf: AsIf = {},
): Promise<ReadonlyMap<string, Authority>> {
  const { rows } = await q.query<{ id: string; held: boolean; would: boolean }>(OF, [
    memberId,
    ids,
    asIf.role ?? null,
    asIf.risk ?? null,
  ]);
  return new Map(rows.map(({ id, held, would }) => [id, held ? "held" : would ? "later" : "none"]));
}

/**
 * Whether somebody may change what they approve, which shows them the content: by their role, or by a right that would
 * decide this very approval. What does not exist is `false` like what is not theirs.
 */
export async function mayEdit(q: OrgSql, actor: MemberActor, id: string): Promise<boolean> {
  if (actor.permissions.has("content:read")) return true;
  if (!seesByRight(actor) || !actor.permissions.has("approval:read")) return false;
  const authority = (await authorityOver(q, actor.memberId, [id])).get(id) ?? "none";
  return authority !== "none";
}

/** For who came to their authority after it was asked. */
export const GIVEN_LATER =
  "You were given the right to decide after this was asked. It takes somebody who had it then, or asking again.";
