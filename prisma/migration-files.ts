import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Every process of ours works in the project's folder; the server's own file is built from many and lies elsewhere. */
export const PRISMA_DIR = join(process.cwd(), "prisma");
const MIGRATIONS_DIR = join(PRISMA_DIR, "migrations");

export type MigrationFile = { readonly name: string; readonly sql: string; readonly checksum: string };

/** schema.prisma as the engine takes it. */
export async function datamodel(): Promise<{ path: string; content: string }> {
  const path = join(PRISMA_DIR, "schema.prisma");
  return { path, content: await readFile(path, "utf8") };
}

/** The migrations of this checkout, in the order in which they apply. */
export async function migrationFiles(directory = MIGRATIONS_DIR): Promise<readonly MigrationFile[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** The same in the form of the engine's protocol. */
export async function migrationsList(files: readonly MigrationFile[]) {
  return {
    baseDir: MIGRATIONS_DIR,
    lockfile: {
      path: "./migration_lock.toml",
      content: await readFile(join(MIGRATIONS_DIR, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } },
    })),
  };
}
