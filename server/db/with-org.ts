import type { QueryResult, QueryResultRow } from "pg";
import { prisma } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { appPool } from "@/server/db/pools";
import { idOf } from "@/server/domain/ids";

const organizationId = idOf("organization");
const MAX_WAIT_MS = 15_000;
const TIMEOUT_MS = 15_000;

/** A transaction confined to one organization, and the database's time at its start. */
export type OrgTx = Prisma.TransactionClient & { readonly orgId: string; readonly now: Date };

/** The same over a plain connection. */
export type OrgSql = {
  readonly orgId: string;
  readonly query: <R extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<QueryResult<R>>;
};

/**
 * Runs `work` in one transaction that row-level security confines to `orgId`. The setting is local to the
 * transaction, so a pooled connection goes back clean. Keep network calls out of `work`. A deadlock or a
 * serialization failure is tried again, so `work` must touch nothing but the database.
 */
export async function withOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T> {
  organizationId.parse(orgId);
  return retrying(() =>
    prisma().$transaction(
      async (tx) => {
        const [row] = await tx.$queryRaw<
          [{ now: Date }]
        >`SELECT set_config('app.org_id', ${orgId}, true), now() AS now`;
        return work(Object.assign(Object.create(tx), { orgId, now: row.now }) as OrgTx);
      },
      { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS },
    ),
  );
}

/** `withOrg` on a plain connection: for the hot path and for statements that Prisma cannot say. */
export async function withOrgSql<T>(orgId: string, work: (q: OrgSql) => Promise<T>): Promise<T> {
  organizationId.parse(orgId);
  return retrying(async () => {
    const client = await appPool().connect();
    let broken: Error | undefined;
    try {
      // One round trip: the id has passed the schema, so it cannot end the literal.
      await client.query(`BEGIN; SELECT set_config('app.org_id', '${orgId}', true)`);
      const result = await work({ orgId, query: (text, values) => client.query(text, values && [...values]) });
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  });
}

const RETRIED = new Set(["40001", "40P01"]);
const TRIES = 4;

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === TRIES || !isRetried(error)) throw error;
    }
  }
}

function isRetried(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && (RETRIED.has(code) || code === "P2034")) return true;
  return "cause" in error && isRetried(error.cause);
}
