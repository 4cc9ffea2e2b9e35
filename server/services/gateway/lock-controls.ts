import type { OrgSql } from "@/server/db/with-org";
import type { Facts } from "@/server/domain/facts";

/**
 * Holds the organization's control lock, shared, to the end of the transaction, and says whether what was decided
 * upon still holds. Whoever activates a control takes the same lock alone.
 */
export async function stillHolds(q: OrgSql, facts: Pick<Facts, "policyVersion" | "deploymentLevel">): Promise<boolean> {
  await q.query("SELECT pg_advisory_xact_lock_shared(hashtextextended('controls:' || app.org_id(), 0))");
  const { rows } = await q.query(
    "SELECT 1 FROM organization WHERE policy_version = $1 AND app.deployment_level() IS NOT DISTINCT FROM $2",
    [facts.policyVersion, facts.deploymentLevel],
  );
  return rows.length === 1;
}
