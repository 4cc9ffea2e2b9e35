import { appPool } from "@/server/db/pools";

/** Counts one attempt of a bucket that belongs to no organization. Returns 0, or the seconds to wait. */
export async function takeAttempt(bucket: string, limit: number, windowSeconds: number): Promise<number> {
  const { rows } = await appPool().query<{ wait: number }>("SELECT app.take_attempt($1, $2, $3) AS wait", [
    bucket,
    limit,
    windowSeconds,
  ]);
  return rows[0]?.wait ?? windowSeconds;
}

/** Takes one back. */
export async function returnAttempt(bucket: string): Promise<void> {
  await appPool().query("SELECT app.return_attempt($1)", [bucket]);
}
