import { systemPool } from "@/server/db/pools";

const MAX_ORGANIZATIONS = 1_000;

async function organizations(text: string): Promise<readonly string[]> {
  const { rows } = await systemPool().query<{ org_id: string }>(text, [MAX_ORGANIZATIONS]);
  return rows.map((row) => row.org_id);
}

/** Organizations with recorded events that are not in their chain yet; at most a thousand. */
export const organizationsToSeal = (): Promise<readonly string[]> =>
  organizations("SELECT DISTINCT org_id FROM audit_unsealed LIMIT $1");

/** Organizations with minutes of refused calls that are over and not in the log yet; at most a thousand. */
export const organizationsWithRefusals = (): Promise<readonly string[]> =>
  organizations(
    `SELECT DISTINCT org_id FROM refusal_count
     WHERE recorded_at IS NULL AND minute < clock_timestamp() - interval '90 seconds' LIMIT $1`,
  );

/** Age in seconds of the event that has waited longest to be sealed, by the database's clock; 0 without any. */
export async function oldestUnsealedSeconds(): Promise<number> {
  const { rows } = await systemPool().query<{ seconds: number | null }>(
    "SELECT extract(epoch FROM clock_timestamp() - min(queued_at))::float8 AS seconds FROM audit_unsealed",
  );
  return Math.max(0, rows[0]?.seconds ?? 0);
}
