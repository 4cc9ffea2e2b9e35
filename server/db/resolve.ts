import { systemPool } from "@/server/db/pools";

const MAX_ORGANIZATIONS = 5;

/**
 * The organizations in which an e-mail address belongs to a member. Ids and nothing else; whether the person may
 * sign in is read inside each organization. Agent keys, tokens and cookies name their organization themselves.
 */
export async function resolveEmail(email: string): Promise<readonly string[]> {
  const { rows } = await systemPool().query<{ org_id: string }>(
    "SELECT org_id FROM member WHERE email = $1 ORDER BY id LIMIT $2",
    [email, MAX_ORGANIZATIONS],
  );
  return rows.map((row) => row.org_id);
}

/** The organization that connected a Slack workspace, or null. */
export async function resolveSlackTeam(teamId: string): Promise<string | null> {
  const { rows } = await systemPool().query<{ org_id: string }>(
    "SELECT org_id FROM slack_workspace WHERE team_id = $1 AND removed_at IS NULL",
    [teamId],
  );
  return rows[0]?.org_id ?? null;
}

/** Whether anybody belongs to this deployment yet. */
export async function hasMember(): Promise<boolean> {
  const { rows } = await systemPool().query("SELECT 1 FROM member LIMIT 1");
  return rows.length > 0;
}

/** The organization that waits for its first owner, if a setup link was made for one. */
export async function organizationWithoutMembers(): Promise<string | null> {
  const { rows } = await systemPool().query<{ id: string }>(
    "SELECT o.id FROM organization o WHERE NOT EXISTS (SELECT 1 FROM member m WHERE m.org_id = o.id) ORDER BY o.id LIMIT 1",
  );
  return rows[0]?.id ?? null;
}
