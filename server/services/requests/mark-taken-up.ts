import type { OrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";

export const alreadyTakenUp = () =>
  new AppError("conflict", "Somebody took it up already.", { reason: "already_taken_up" });

/** Marks a proposal as taken up, in the transaction of the request that comes of it. Throws where somebody was faster. */
export async function markTakenUp(q: OrgSql, proposalId: string): Promise<void> {
  const { rowCount } = await q.query(
    `UPDATE tool_request SET taken_up_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
     WHERE org_id = app.org_id() AND id = $1 AND is_proposal AND status = 'denied' AND taken_up_at IS NULL`,
    [proposalId],
  );
  if (rowCount !== 1) throw alreadyTakenUp();
  await q.query("SELECT app.tell('request', $1)", [proposalId]);
}
