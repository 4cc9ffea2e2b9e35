import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, diff, pending } from "@/prisma/migrate";
import { migrationFiles } from "@/prisma/migration-files";
import { freshDatabase, type TestDatabase } from "@/test/support/db";

const names = async () => (await migrationFiles()).map(({ name }) => name);

describe("migrations", () => {
  let migrated: TestDatabase;
  let empty: TestDatabase;

  beforeAll(async () => {
    migrated = await freshDatabase();
    empty = await freshDatabase({ isEmpty: true });
  });
  afterAll(async () => {
    await migrated.drop();
    await empty.drop();
  });

  it("leave a database that equals schema.prisma", async () => {
    expect(await diff(migrated.ownerUrl)).toBe("");
  });

  it("apply from empty under six deploys at once, each migration once", async () => {
    expect(await pending(empty.ownerUrl)).toEqual(await names());
    const applied = await Promise.all(Array.from({ length: 6 }, () => deploy(empty.ownerUrl)));
    expect(applied.flat().sort()).toEqual(await names());
    expect(await pending(empty.ownerUrl)).toEqual([]);
  });

  it("apply nothing the second time", async () => {
    expect(await deploy(migrated.ownerUrl)).toEqual([]);
  });
});
