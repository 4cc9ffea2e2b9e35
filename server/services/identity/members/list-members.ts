import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { command } from "@/server/services/command";
import { MEMBER_COLUMNS, type MemberRow, memberView } from "@/server/services/identity/members/member-view";

/** The organization's people, newest first. */
export const listMembers = command({
  name: "member.list",
  callers: ["member"],
  permission: "member:read",
  input: z.strictObject(pageOf("member")),
  run: (actor, { limit, cursor }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<MemberRow>(
        `SELECT ${MEMBER_COLUMNS} FROM member WHERE $1::text IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
        [cursor ?? null, limit + 1],
      );
      return cutPage(rows.map(memberView), limit);
    }),
});
