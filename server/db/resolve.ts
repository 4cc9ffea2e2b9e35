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

/** Whether this deployment has an organization yet. */
export async function hasOrganization(): Promise<boolean> {
  const { rows } = await systemPool().query("SELECT 1 FROM organization LIMIT 1");
  return rows.length > 0;
}
