import { resolveSlackTeam } from "@/server/db/resolve";
import { withOrgSql } from "@/server/db/with-org";

/** Longer than a signature of Slack's is good for, both ways of the clock. */
const KEPT = "15 minutes";

/** An organization, and what it connected: a workspace, or a whole Enterprise Grid. */
export type Installation = { readonly orgId: string; readonly teamId: string };

export type TakenCall = ({ readonly kind: "taken" } & Installation) | { readonly kind: "seen" | "unknown_team" };

/**
 * Takes a signed call for the organization that connected one of these, the first first: `taken` for the first who comes
 * with it, `seen` for every other, whichever replica they come to.
 */
export async function takeCall(teamIds: readonly string[], signatureHash: Buffer): Promise<TakenCall> {
  const installation = await installationOf(teamIds);
  if (installation === null) return { kind: "unknown_team" };
  const isFirst = await withOrgSql(installation.orgId, async (q) => {
    const { rowCount } = await q.query(
      "INSERT INTO slack_call (org_id, signature_hash) VALUES (app.org_id(), $1) ON CONFLICT DO NOTHING",
      [signatureHash],
    );
    await q.query("DELETE FROM slack_call WHERE received_at < clock_timestamp() - $1::interval", [KEPT]);
    await q.query(
      `UPDATE slack_workspace SET last_call_at = clock_timestamp()
       WHERE team_id = $1 AND (last_call_at IS NULL OR last_call_at < clock_timestamp() - interval '1 minute')`,
      [installation.teamId],
    );
    return rowCount === 1;
  });
  return isFirst ? { kind: "taken", ...installation } : { kind: "seen" };
}

/** The first of these that an organization connected, or null. */
export async function installationOf(teamIds: readonly string[]): Promise<Installation | null> {
  for (const teamId of teamIds) {
    const orgId = await resolveSlackTeam(teamId);
    if (orgId !== null) return { orgId, teamId };
  }
  return null;
}
