import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { emptyEngine, type LocalDriver, localDriver } from "@/test/support/inngest/local-driver";
import { SCENARIOS } from "@/test/support/inngest/scenarios/all";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

type Options = { readonly isCheckpointing: boolean; readonly isScheduled?: boolean };

async function withDriver(options: Options, play: (driver: LocalDriver) => Promise<void>): Promise<void> {
  await emptyEngine(database.ownerUrl);
  const driver = await localDriver({ systemUrl: database.systemUrl, ...options });
  try {
    await play(driver);
  } finally {
    await driver.close();
  }
}

describe.each([false, true])("the local engine, checkpointing %s", (isCheckpointing) => {
  for (const [guarantee, play] of SCENARIOS) test(guarantee, () => withDriver({ isCheckpointing }, play));

  test("a schedule fires at each of its times and no oftener", () =>
    withDriver({ isCheckpointing, isScheduled: true }, async (driver) => {
      await driver.pass(3.5);
      expect(driver.trace.filter((entry) => entry === "tick")).toHaveLength(3);
    }));
});
