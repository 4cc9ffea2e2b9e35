import type { OrgSql } from "@/server/db/with-org";
import { notFound } from "@/server/services/failures";
import {
  MEMBER_COLUMNS,
  type MemberRow,
  type MemberView,
  memberView,
} from "@/server/services/identity/members/member-view";

/**
 * A member as nobody else can change it until this transaction ends, and how many owners there are. The owners'
 * rows are locked first, in one order: of two owners who demote each other, the second sees what the first did.
 */
export async function lockMember(q: OrgSql, id: string): Promise<{ before: MemberView; owners: number }> {
  const owners = await q.query(
    "SELECT id FROM member WHERE role = 'owner' AND disabled_at IS NULL ORDER BY id FOR UPDATE",
  );
  const { rows } = await q.query<MemberRow>(`SELECT ${MEMBER_COLUMNS} FROM member WHERE id = $1 FOR UPDATE`, [id]);
  const [row] = rows;
  if (row === undefined) throw notFound("member");
  return { before: memberView(row), owners: owners.rows.length };
}
