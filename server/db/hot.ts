import type { QueryResultRow } from "pg";
import { appPool } from "@/server/db/pools";
import { sharedFlush } from "@/server/db/shared-flush";

/**
 * Calls one function of the `app` schema that sets its organization itself: one statement, one transaction, one
 * round trip. Named statements, so the plan is made once a connection.
 */
async function call<R extends QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
  const { rows } = await appPool().query<R>({ name, text, values: [...values] });
  return rows;
}

/**
 * The claim commits without waiting for the disk; a small record in the log, committed with waiting, puts all before
 * it there too.
 */
async function flush(): Promise<void> {
  await call("flush", "SELECT pg_logical_emit_message(true, 'countersign', '')", []);
}

export const hot = {
  admitAgent: (orgId: string, keyId: string, hash: Buffer) =>
    call<{ admitted: unknown }>("admit_agent", "SELECT app.admit_agent($1, $2, $3) AS admitted", [orgId, keyId, hash]),
  loadFacts: (values: readonly unknown[]) =>
    call<{ facts: unknown }>(
      "load_facts",
      "SELECT app.load_facts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS facts",
      values,
    ),
  claim: (orgId: string, claim: string) =>
    call<{ credential_id: string; credential_version: number; credential_kind: string; sealed: Buffer }>(
      "claim",
      "SELECT * FROM app.claim($1, $2)",
      [orgId, claim],
    ),
  settle: (orgId: string, settlement: string, result: Buffer | null) =>
    call<{ version: number | null }>("settle", "SELECT app.settle($1, $2, $3) AS version", [orgId, settlement, result]),
  /** Returns when everything committed so far by anyone is on disk. Callers that come together share one. */
  flush: sharedFlush(flush),
} as const;
