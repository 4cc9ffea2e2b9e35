import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { sealJson } from "@/server/services/gateway/content";

export type Resolved = { readonly id: string; readonly status: "succeeded" | "failed"; readonly version: number };

/** A person who looked says whether an effect of unknown outcome happened. Its money follows: spent, or given back. */
export const resolveToolRequest = command({
  name: "tool_request.resolve",
  callers: ["member"],
  permission: "request:resolve",
  input: z.strictObject({
    id: idOf("toolRequest"),
    outcome: z.enum(["done", "not_done"]),
    reason: z.string().trim().min(1).max(2_000),
  }),
  run: resolve,
});

type Input = { id: string; outcome: "done" | "not_done"; reason: string };
type Row = {
  status: "succeeded" | "failed";
  version: number;
  action: string;
  agent_id: string;
  session_id: string;
  now: Date;
};

async function resolve(actor: MemberActor, { id, outcome, reason }: Input): Promise<Resolved> {
  const content = { resolved: outcome, message: reason, by: actor.memberId };
  const sealed = await sealJson(actor.orgId, id, "result", content);
  return withOrgSql(actor.orgId, async (q) => {
    const { rows } = await q.query<Row>(
      `UPDATE tool_request SET status = $2, error_code = $3, sealed_result = $4, version = version + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
       WHERE org_id = app.org_id() AND id = $1 AND status = 'outcome_unknown'
       RETURNING status, version, action, agent_id, session_id, clock_timestamp() AS now`,
      [id, outcome === "done" ? "succeeded" : "failed", outcome === "done" ? null : "resolved_not_done", sealed],
    );
    const [row] = rows;
    if (row === undefined) throw await noneUnknown(q.query, id);
    if (outcome === "not_done") await q.query("SELECT app.give_back($1)", [id]);
    await auditSql(q, {
      type: "request.resolved",
      actor,
      at: row.now,
      requestId: id,
      agentId: row.agent_id,
      sessionId: row.session_id,
      fields: { action: row.action, outcome },
    });
    await q.query("SELECT app.tell('request', $1)", [id]);
    return { id, status: row.status, version: row.version };
  });
}

type Query = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>;

async function noneUnknown(query: Query, id: string): Promise<AppError> {
  const { rows } = await query("SELECT 1 FROM tool_request WHERE org_id = app.org_id() AND id = $1", [id]);
  if (rows.length === 0) return new AppError("not_found", "There is no such request.");
  return new AppError("conflict", "Its outcome is known; there is nothing to resolve.", { reason: "outcome_known" });
}
