import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { hasMailServer } from "@/server/services/notices/queue";

/** Whether one is mailed about approvals where Slack does not reach one. */
export const getMails = command({
  name: "self.get_mails",
  callers: ["member"],
  permission: "self:read",
  input: z.strictObject({}),
  run: async (actor) => {
    const { rows } = await withOrgSql(actor.orgId, (q) =>
      q.query<{ on: boolean }>('SELECT approval_mails AS "on" FROM member WHERE org_id = app.org_id() AND id = $1', [
        actor.memberId,
      ]),
    );
    return { approvalMails: rows[0]?.on === true, hasMailServer: hasMailServer() };
  },
});

/** Turns one's own mails about approvals on or off. What is wrong with Slack is mailed to admins all the same. */
export const changeMails = command({
  name: "self.change_mails",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ approvalMails: z.boolean() }),
  run: (actor, { approvalMails }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ now: Date }>(
        `UPDATE member SET approval_mails = $2 WHERE org_id = app.org_id() AND id = $1 AND approval_mails <> $2
         RETURNING clock_timestamp() AS now`,
        [actor.memberId, approvalMails],
      );
      const fields = { member: actor.memberId, changed: ["approvalMails"] };
      if (rows[0] !== undefined) await auditSql(q, { type: "member.changed", actor, at: rows[0].now, fields });
      return { approvalMails };
    }),
});

/** The answers, as OpenAPI describes them. */
export const mailsSchema = z.strictObject({
  approvalMails: z.boolean().describe("Whether you are mailed about approvals that do not reach you in Slack."),
  hasMailServer: z.boolean().describe("Whether the operator set a mail server at all."),
});
export const mailsChangedSchema = z.strictObject({ approvalMails: z.boolean() });
