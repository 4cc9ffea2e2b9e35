import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import type { By } from "@/server/domain/standing";

const ENDINGS = ["request.withdrawn", "request.cancelled", "request.resolved"];
const rowSchema = z.object({ type: z.string(), member: z.string().nullable(), agent: z.string().nullable() });

/** Who ended a request that no decision ended, as the log has it. */
export type Ended = { readonly by: By | null; readonly isResolved: boolean };

/** Reads who withdrew or cancelled a request, or said what came of it. */
export async function readEndedBy(q: OrgSql, requestId: string): Promise<Ended> {
  const { rows } = await q.query(
    `SELECT e.type, m.name AS member, g.name AS agent FROM audit_event e
     LEFT JOIN member m ON m.org_id = e.org_id AND m.id = e.actor_id
     LEFT JOIN agent g ON g.org_id = e.org_id AND g.id = e.actor_id
     WHERE e.org_id = app.org_id() AND e.request_id = $1 AND e.type = ANY ($2) ORDER BY e.id DESC LIMIT 1`,
    [requestId, ENDINGS],
  );
  if (rows[0] === undefined) return { by: null, isResolved: false };
  const { type, member, agent } = rowSchema.parse(rows[0]);
  return { by: byOf(member, agent), isResolved: type === "request.resolved" };
}

function byOf(member: string | null, agent: string | null): By | null {
  if (member !== null) return { kind: "person", name: member };
  return agent === null ? null : { kind: "agent", name: agent };
}
