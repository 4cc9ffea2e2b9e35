import type { OrgTx } from "@/server/db/with-org";
import { OWN_COULD, type OwnRequest } from "@/server/services/approvals/own-request";

const FIND = `SELECT COALESCE(bool_or(${OWN_COULD}), false) AS could,
    EXISTS (SELECT 1 FROM decision d JOIN approval b ON b.org_id = d.org_id AND b.id = d.approval_id
      WHERE d.org_id = app.org_id() AND b.request_id = $1 AND d.is_own) AS decided
  FROM approval a
  JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
  WHERE a.org_id = app.org_id() AND a.request_id = $1`;

/** Whether who asked for a request may decide it now, or decided it. */
export async function readOwnRequest(tx: OrgTx, requestId: string): Promise<OwnRequest | null> {
  const [row] = await tx.$queryRawUnsafe<{ could: boolean; decided: boolean }[]>(FIND, requestId);
  if (row?.decided) return "decided";
  return row?.could ? "could" : null;
}
