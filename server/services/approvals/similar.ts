import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { idOf } from "@/server/domain/ids";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { readApprovals } from "@/server/services/approvals/read-model";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { storedHeadline } from "@/server/services/requests/headline";

/** How many of the agent's latest requests are looked through, and how many of those found are shown. */
const MOST_READ = 500;
const MOST_SHOWN = 5;

const rowSchema = z.object({
  id: z.string(),
  action: z.string(),
  status: requestStatusSchema,
  created_at: z.date(),
  sealed_arguments: z.instanceof(Buffer).nullable(),
});

const FIND = `WITH recent AS (SELECT r.id, r.action, r.status, r.created_at, r.sealed_arguments, r.connection_id FROM tool_request r
    WHERE r.org_id = app.org_id() AND r.agent_id = $1 ORDER BY r.id DESC LIMIT ${MOST_READ}),
  alike AS (SELECT * FROM recent WHERE action = $2 AND connection_id = $3 AND id <> $4)
  SELECT (SELECT COALESCE(jsonb_object_agg(c.status, c.count), '{}') FROM (SELECT status, count(*)::int FROM alike GROUP BY status) c) AS counts,
    s.id, s.action, s.status, s.created_at, s.sealed_arguments
  FROM (SELECT * FROM alike ORDER BY id DESC LIMIT ${MOST_SHOWN}) s ORDER BY s.id DESC`;

/** How the agent's latest calls of the same action over the same connection went. */
export type Similar = {
  /** By status, among the agent's latest 500 requests. */
  readonly counts: Readonly<Record<string, number>>;
  readonly items: readonly {
    readonly id: string;
    readonly status: z.output<typeof requestStatusSchema>;
    readonly headline: string | null;
    readonly createdAt: Date;
  }[];
};

/** What an approver may want to hold a request against: what the agent asked of this kind before, and what came of it. */
export const similarRequests = command({
  name: "approval.similar",
  callers: ["member"],
  permission: "approval:read",
  input: z.strictObject({ id: idOf("approval") }),
  run: similar,
});

async function similar(actor: MemberActor, { id }: { id: string }): Promise<Similar> {
  const rows = await withOrgSql(actor.orgId, async (q) => {
    const [approval] = await readApprovals(q, actor, "a.id = $2", [id]);
    if (approval === undefined) throw notFound("approval");
    const { agent_id, action, connection_id, request_id } = approval;
    return (await q.query(FIND, [agent_id, action, connection_id, request_id])).rows;
  });
  const found = z.array(rowSchema.extend({ counts: z.record(z.string(), z.int()) })).parse(rows);
  const items = found.map(async ({ sealed_arguments, created_at, ...row }) => ({
    id: row.id,
    status: row.status,
    headline: await storedHeadline(actor, { ...row, sealedArguments: sealed_arguments }),
    createdAt: created_at,
  }));
  return { counts: found[0]?.counts ?? {}, items: await Promise.all(items) };
}

/** What it answers, as OpenAPI describes it. */
export const similarSchema = z.strictObject({
  counts: z.record(z.string(), z.int()).describe("By status, among the agent's latest 500 requests."),
  items: z.array(
    z.strictObject({
      id: z.string(),
      status: requestStatusSchema,
      headline: z.string().nullable().describe("Null where the reader may not see content or none is stored."),
      createdAt: z.iso.datetime(),
    }),
  ),
});
