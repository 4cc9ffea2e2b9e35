import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "@/test/support/db";

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  owner = new pg.Client({ connectionString: database.superuserUrl.replace(/\/[^/]*$/, `/${database.name}`) });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const names = async (text: string): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(text);
  return rows.map((row) => row.name);
};

/** Tables without an organization: the tenant itself, the operator's switch, the migrator's own. */
const WITHOUT_ORGANIZATION = ["_prisma_migrations", "deployment_control", "organization"];
const APPEND_ONLY = ["audit_checkpoint", "audit_event", "audit_seal", "decision", "rule_set"];

describe("the catalog", () => {
  it("gives every table an organization column but for a list that is looked at", async () => {
    const without = await names(`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT EXISTS
        (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped) ORDER BY 1`);
    expect(without).toEqual(WITHOUT_ORGANIZATION);
  });

  it("enables and forces row-level security on each of them, with the tenant's policy for the application", async () => {
    const lacking = await names(`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
        AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`);
    expect(lacking).toEqual([]);
    const { rows } = await owner.query<{ name: string; using: string; check: string }>(`SELECT c.relname AS name,
        pg_get_expr(p.polqual, p.polrelid) AS using, pg_get_expr(p.polwithcheck, p.polrelid) AS check
      FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
      WHERE p.polpermissive AND 'countersign_app'::regrole = ANY (p.polroles) AND c.relname <> 'deployment_control'`);
    const tables = await names(`SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname NOT IN ('_prisma_migrations', 'deployment_control')`);
    expect([...new Set(rows.map((row) => row.name))].sort()).toEqual([...tables].sort());
    for (const { name, using, check } of rows) {
      const column = name === "organization" ? "id" : "org_id";
      expect([name, using, check]).toEqual([
        name,
        expect.stringMatching(new RegExp(`^\\(${column} = \\( SELECT app.org_id\\(\\)`)),
        using,
      ]);
    }
  });

  it("ties every reference between business rows to one organization", async () => {
    const loose = await names(`SELECT f.conrelid::regclass || '.' || f.conname AS name FROM pg_constraint f
      JOIN pg_class parent ON parent.oid = f.confrelid
      WHERE f.contype = 'f' AND f.connamespace = 'public'::regnamespace AND parent.relname <> 'organization'
        AND NOT EXISTS (SELECT 1 FROM unnest(f.conkey, f.confkey) AS k(mine, theirs)
          JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.mine AND a.attname = 'org_id'
          JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = k.theirs AND b.attname = 'org_id')`);
    expect(loose).toEqual([]);
  });

  it("gives the serving roles no ownership, no bypass and no way to rewrite the record", async () => {
    const { rows } = await owner.query(
      "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname IN ('countersign_app', 'countersign_system')",
    );
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(row).toMatchObject({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false });
    const rewritable =
      await names(`SELECT table_name || ' ' || privilege_type AS name FROM information_schema.role_table_grants
      WHERE grantee IN ('countersign_app', 'countersign_system', 'PUBLIC') AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE')
        AND table_name IN (${APPEND_ONLY.map((table) => `'${table}'`).join(", ")})`);
    expect(rewritable).toEqual([]);
    const truncatable = await names(
      "SELECT table_name AS name FROM information_schema.role_table_grants WHERE grantee LIKE 'countersign_app' AND privilege_type = 'TRUNCATE'",
    );
    expect(truncatable).toEqual([]);
  });

  it("has no view, materialized view or definer's function by which row-level security could be passed", async () => {
    const found = await names(`SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('public', 'app') AND c.relkind IN ('v', 'm')
      UNION ALL SELECT proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname IN ('public', 'app') AND p.prosecdef`);
    expect(found).toEqual([]);
  });

  it("shows the system role ids and times, and no column that holds content", async () => {
    const seen = await names(`SELECT table_name || '.' || column_name AS name FROM information_schema.column_privileges
      WHERE grantee = 'countersign_system' AND privilege_type = 'SELECT' AND table_schema = 'public' AND table_name <> 'deployment_control' ORDER BY 1`);
    for (const column of seen) {
      expect(column).toMatch(
        /\.(id|org_id|request_id|event_id|approval_id|team_id|idx|xid|email|status|is_held|required_people|decision|shown|minute|size|[a-z_]+_(at|until))$/,
      );
    }
  });
});
