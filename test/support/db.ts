import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { ensureDatabase, roleUrls } from "@/server/cli/postgres/roles";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { overrideEnv } from "@/server/env";
import { TEMPLATE, TEST_PASSWORDS } from "./roles";

export type TestDatabase = {
  readonly name: string;
  readonly superuserUrl: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly systemUrl: string;
  /** Closes this process's pools and removes the database, ending whatever is still connected to it. */
  drop(): Promise<void>;
};

async function asSuperuser(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A database of its own, migrated, owned as in production; `env()` then names it. Call it once a file, in
 * `beforeAll`. With `isEmpty` nothing is migrated, for tests of the migrator.
 */
export async function freshDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const superuserUrl = inject("superuserUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await ensureDatabase(superuserUrl, name, isEmpty ? undefined : TEMPLATE);
  const urls = roleUrls(superuserUrl, name, TEST_PASSWORDS);
  overrideEnv({ APP_DATABASE_URL: urls.appUrl, SYSTEM_DATABASE_URL: urls.systemUrl });
  const drop = async () => {
    await closePrisma();
    await closePools();
    await asSuperuser(superuserUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { name, superuserUrl, ...urls, drop };
}
