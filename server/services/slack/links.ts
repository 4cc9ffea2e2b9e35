import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { teamIdSchema } from "@/server/services/slack/slack-ids";

/** Who somebody is in a connected workspace. */
export type SlackLinkView = {
  readonly teamId: string;
  readonly workspace: string;
  readonly userId: string;
  readonly member: { readonly id: string; readonly name: string };
  readonly linkedAt: Date;
};

/** The answers, as OpenAPI describes them. */
export const slackLinksSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      teamId: z.string(),
      workspace: z.string(),
      userId: z.string(),
      member: z.strictObject({ id: z.string(), name: z.string() }),
      linkedAt: z.iso.datetime(),
    }),
  ),
});
export const unlinkedSchema = z.strictObject({ teamId: z.string(), memberId: z.string() });

type Row = { team_id: string; workspace: string; user_id: string; member_id: string; member: string; linked_at: Date };
const MOST = 1_000;

async function readLinks(actor: MemberActor, memberId: string | null): Promise<{ items: SlackLinkView[] }> {
  const { rows } = await withOrgSql(actor.orgId, (q) =>
    q.query<Row>(
      `SELECT l.team_id, w.name AS workspace, l.user_id, l.member_id, m.name AS member, l.linked_at
       FROM slack_link l JOIN member m ON m.org_id = l.org_id AND m.id = l.member_id
       JOIN slack_workspace w ON w.org_id = l.org_id AND w.team_id = l.team_id
       WHERE $1::text IS NULL OR l.member_id = $1 ORDER BY w.name, m.name, l.user_id LIMIT ${MOST}`,
      [memberId],
    ),
  );
  const items = rows.map((row) => ({
    teamId: row.team_id,
    workspace: row.workspace,
    userId: row.user_id,
    member: { id: row.member_id, name: row.member },
    linkedAt: row.linked_at,
  }));
  return { items };
}

/** Who is who in the connected workspaces. */
export const listSlackLinks = command({
  name: "slack.list_links",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({}),
  run: (actor) => readLinks(actor, null),
});

/** Who one is oneself in the connected workspaces. */
export const listOwnSlackLinks = command({
  name: "slack.list_own_links",
  callers: ["member"],
  permission: "self:read",
  input: z.strictObject({}),
  run: (actor) => readLinks(actor, actor.memberId),
});

type Link = { readonly teamId: string; readonly memberId: string };

/** From the next press on, Slack's word for that person is nobody's. Throws `not_found`. */
async function unlink(q: OrgSql, actor: MemberActor, { teamId, memberId }: Link): Promise<Link> {
  const { rows } = await q.query<{ user_id: string; now: Date }>(
    "DELETE FROM slack_link WHERE team_id = $1 AND member_id = $2 RETURNING user_id, clock_timestamp() AS now",
    [teamId, memberId],
  );
  const [row] = rows;
  if (row === undefined) throw notFound("link");
  const personal = { address: `${teamId}/${row.user_id}` };
  const fields = { team: teamId, member: memberId };
  await auditSql(q, { type: "slack.unlinked", actor, at: row.now, personId: memberId, fields, personal });
  return { teamId, memberId };
}

/** Ends anybody's link. */
export const unlinkPerson = command({
  name: "slack.unlink",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ teamId: teamIdSchema, memberId: idOf("member") }),
  run: (actor, link) => withOrgSql(actor.orgId, (q) => unlink(q, actor, link)),
});

/** Ends one's own link. */
export const unlinkSelf = command({
  name: "slack.unlink_self",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ teamId: teamIdSchema }),
  run: (actor, { teamId }) => withOrgSql(actor.orgId, (q) => unlink(q, actor, { teamId, memberId: actor.memberId })),
});
