import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";

const PER_MINUTE = 12;
const BURST = 20;

/**
 * Reading the whole log costs as much as the log is long, so an organization may do it this often, whoever asks. Throws
 * AppError `rate_limited`.
 */
export async function takeTurn(orgId: string, what: "audit.verify" | "audit.export"): Promise<void> {
  const wait = await withOrgSql(orgId, (q) => waitFor(q, what));
  if (wait === 0) return;
  throw new AppError("rate_limited", "The whole log was read too often just now.", { retryAfterS: Math.ceil(wait) });
}

async function waitFor(q: OrgSql, what: string): Promise<number> {
  const { rows } = await q.query<{ wait: number }>("SELECT app.take_token($1, $2, $3) AS wait", [
    what,
    PER_MINUTE,
    BURST,
  ]);
  return rows[0]?.wait ?? 0;
}
