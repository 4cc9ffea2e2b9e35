import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkRole } from "@/server/boot/check-role";
import { freshDatabase, type TestDatabase } from "@/test/support/db";

let database: TestDatabase;

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const withUser = (url: string, user: string) => {
  const target = new URL(url);
  target.username = user;
  target.password = "probe";
  return target.toString();
};

const check = (url: string, wanted = "countersign_app") => checkRole("APP_DATABASE_URL", url, wanted);

beforeAll(async () => {
  database = await freshDatabase();
  const grant = `GRANT CONNECT ON DATABASE ${database.name} TO`;
  await asSuperuser(`
    CREATE ROLE probe_bypass LOGIN BYPASSRLS PASSWORD 'probe'; ${grant} probe_bypass;
    CREATE ROLE probe_heir LOGIN NOINHERIT PASSWORD 'probe' IN ROLE countersign_app, countersign_owner; ${grant} probe_heir;
    CREATE ROLE probe_maker LOGIN CREATEROLE PASSWORD 'probe' IN ROLE countersign_app; ${grant} probe_maker;
    CREATE ROLE probe_other LOGIN PASSWORD 'probe'; ${grant} probe_other;
    CREATE ROLE probe_fine LOGIN PASSWORD 'probe' IN ROLE countersign_app; ${grant} probe_fine;`);
});

afterAll(async () => {
  await database.drop();
  await asSuperuser("DROP ROLE probe_bypass, probe_heir, probe_maker, probe_other, probe_fine");
});

describe("serving refuses to start", () => {
  it("on a superuser", async () => {
    const url = new URL(database.superuserUrl);
    url.pathname = `/${database.name}`;
    await expect(check(url.toString())).rejects.toThrow(/^APP_DATABASE_URL logs in as postgres, which is a superuser;/);
  });

  it("on the owner", async () => {
    await expect(check(database.ownerUrl)).rejects.toThrow(/owns tables or the database/);
  });

  it.each([
    ["probe_bypass", /bypasses row-level security/],
    ["probe_heir", /owns tables or the database/],
    ["probe_maker", /may make roles/],
    ["probe_other", /is not countersign_app/],
  ])("on %s", async (user, reason) => {
    await expect(check(withUser(database.appUrl, user))).rejects.toThrow(reason);
  });

  it("on the two connections exchanged", async () => {
    await expect(check(database.systemUrl)).rejects.toThrow(/is not countersign_app/);
  });

  it("without a database, in one line that names the variable and the place but no password", async () => {
    const url = "postgres://countersign_app:hidden@127.0.0.1:1/x";
    await expect(check(url)).rejects.toThrow("APP_DATABASE_URL: no database answers at 127.0.0.1:1 (ECONNREFUSED).");
  });
});

it("serving starts on the application role, the system role, and a login that is a member of one", async () => {
  await check(database.appUrl);
  await check(database.systemUrl, "countersign_system");
  await check(withUser(database.appUrl, "probe_fine"));
});
