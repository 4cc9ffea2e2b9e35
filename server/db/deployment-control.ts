import { systemPool } from "@/server/db/pools";

type Level = "freeze" | "lockdown";
type Lease = { readonly replica: string; readonly level: Level; readonly leaseS: number };

/**
 * Holds a kill switch of this replica's environment for `leaseS` seconds more, by the database's clock. Leases that
 * ended a day ago are swept away.
 */
export async function leaseDeploymentLevel({ replica, level, leaseS }: Lease): Promise<void> {
  await systemPool().query("DELETE FROM deployment_control WHERE leased_until < clock_timestamp() - interval '1 day'");
  await systemPool().query(
    `INSERT INTO deployment_control (replica, level, leased_until)
     VALUES ($1, $2, clock_timestamp() + $3::int * interval '1 second')
     ON CONFLICT (replica) DO UPDATE SET level = excluded.level, leased_until = excluded.leased_until`,
    [replica, level, leaseS],
  );
}

/** The strictest level that any replica holds at this moment. */
export async function deploymentLevel(): Promise<Level | null> {
  const { rows } = await systemPool().query<{ level: Level | null }>("SELECT app.deployment_level() AS level");
  return rows[0]?.level ?? null;
}

/** Ids of all organizations, in order, some at a time. */
export async function organizationIdsAfter(id: string, limit: number): Promise<readonly string[]> {
  const { rows } = await systemPool().query<{ id: string }>(
    "SELECT id FROM organization WHERE id > $1 ORDER BY id LIMIT $2",
    [id, limit],
  );
  return rows.map((row) => row.id);
}
