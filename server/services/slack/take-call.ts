import { resolveSlackTeam } from "@/server/db/resolve";
import { withOrgSql } from "@/server/db/with-org";

/** Longer than a signature of Slack's is good for, both ways of the clock. */
const KEPT = "15 minutes";

export type TakenCall = { readonly kind: "taken"; readonly orgId: string } | { readonly kind: "seen" | "unknown_team" };

/**
 * Takes a signed call for the organization that connected the workspace: `taken` for the first who comes with it, `seen`
 * for every other, whichever replica they come to.
 */
export async function takeCall(teamId: string, signatureHash: Buffer): Promise<TakenCall> {
  const orgId = await resolveSlackTeam(teamId);
  if (orgId === null) return { kind: "unknown_team" };
  const isFirst = await withOrgSql(orgId, async (q) => {
    const { rowCount } = await q.query(
      "INSERT INTO slack_call (org_id, signature_hash) VALUES (app.org_id(), $1) ON CONFLICT DO NOTHING",
      [signatureHash],
    );
    await q.query("DELETE FROM slack_call WHERE received_at < clock_timestamp() - $1::interval", [KEPT]);
    return rowCount === 1;
  });
  return isFirst ? { kind: "taken", orgId } : { kind: "seen" };
}

/** The organization of a workspace, or null. */
export const organizationOfTeam = (teamId: string): Promise<string | null> => resolveSlackTeam(teamId);
