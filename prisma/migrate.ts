import pg from "pg";
import { EnvError, launcherEnv } from "@/server/env";
import { datamodel, type MigrationFile, migrationFiles, migrationsList, PRISMA_DIR } from "./migration-files";
import { withSchemaEngine } from "./schema-engine";

const FILTERS = { externalTables: [], externalEnums: [] };

/** Migrating cannot go on. The message is one line for the operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

type Applied = { readonly name: string; readonly checksum: string; readonly isFinished: boolean };

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const appliedMigrations = (url: string): Promise<readonly Applied[]> =>
  withClient(url, async (client) => {
    const table = await client.query<{ found: string | null }>("SELECT to_regclass('_prisma_migrations') AS found");
    if (!table.rows[0]?.found) return [];
    const { rows } = await client.query<Applied>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    return rows;
  });

const GRANT_HISTORY = `
  DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('countersign-migration-history', 0));
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'countersign_app')
      AND NOT has_column_privilege('countersign_app', '_prisma_migrations', 'migration_name', 'SELECT') THEN
      GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO countersign_app;
    END IF;
  END $$`;

/** `/readyz` compares the history with the files, as the application role. One at a time: grants on a table collide. */
async function letServerReadHistory(url: string): Promise<void> {
  await withClient(url, (client) => client.query(GRANT_HISTORY));
}

function unapplied(files: readonly MigrationFile[], applied: readonly Applied[]): readonly string[] {
  const known = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum, isFinished } of applied) {
    if (!isFinished) throw new MigrationError(`Migration ${name} failed before; the database needs a look by hand.`);
    const file = known.get(name);
    if (!file) throw new MigrationError(`The database has migration ${name}, which this version does not know.`);
    if (file.checksum !== checksum) throw new MigrationError(`Migration ${name} was changed after it was applied.`);
  }
  const done = new Set(applied.map(({ name }) => name));
  return files.map(({ name }) => name).filter((name) => !done.has(name));
}

/**
 * Names of the migrations that this checkout has and the database does not. Throws MigrationError when one
 * failed, was changed after it was applied, or comes from a newer version.
 */
export async function pending(url: string): Promise<readonly string[]> {
  return unapplied(await migrationFiles(), await appliedMigrations(url));
}

async function apply(url: string, files: readonly MigrationFile[]): Promise<readonly string[]> {
  const list = await migrationsList(files);
  const { appliedMigrationNames } = await withSchemaEngine(url, (engine) =>
    engine.applyMigrations({ migrationsList: list, filters: FILTERS }),
  );
  return appliedMigrationNames;
}

/**
 * Applies what is pending, each migration in one transaction, under the engine's advisory lock: any number of
 * deploys may run at once. `upTo` ends with that migration, for tests of upgrades. Returns the names applied.
 */
export async function deploy(url: string, options: { readonly upTo?: string } = {}): Promise<readonly string[]> {
  const files = await migrationFiles();
  const wanted = options.upTo === undefined ? files : files.filter(({ name }) => name <= (options.upTo ?? ""));
  const state = await appliedMigrations(url);
  // One that is not finished failed, or another deploy is at it: the engine waits for its lock and then knows.
  const isCurrent = state.every(({ isFinished }) => isFinished) && unapplied(files, state).length === 0;
  const applied = isCurrent ? [] : await apply(url, wanted);
  await letServerReadHistory(url);
  return applied;
}

/** The SQL that would turn the database at `url` into schema.prisma; empty when they are equal. */
export async function diff(url: string): Promise<string> {
  const files = [await datamodel()];
  return withSchemaEngine(url, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: PRISMA_DIR },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters: FILTERS,
    });
    return exitCode === 0 ? "" : (stdout ?? "");
  });
}

async function main(command = "deploy"): Promise<void> {
  const url = launcherEnv().DATABASE_URL;
  if (!url)
    throw new EnvError("DATABASE_URL is missing. It is the owner's connection. Example: DATABASE_URL=postgres://…");
  if (command === "deploy") return console.log(`Applied: ${(await deploy(url)).join(", ") || "nothing was pending"}.`);
  if (command === "pending") return console.log((await pending(url)).join("\n") || "Nothing is pending.");
  if (command === "diff") return console.log((await diff(url)) || "The database equals schema.prisma.");
  throw new MigrationError(`Unknown command ${command}. Known: deploy, pending, diff.`);
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv[2]).catch((error: unknown) => {
    console.error(`migrate: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
