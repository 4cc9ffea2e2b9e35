import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/server/env";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { emptyEngine, type LocalDriver, localDriver } from "@/test/support/inngest/local-driver";
import { SCENARIOS } from "@/test/support/inngest/scenarios/all";
import { serverDriver } from "@/test/support/inngest/server-driver";

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

const { INNGEST_BASE_URL } = env();
if (INNGEST_BASE_URL) {
  describe("a real Inngest server", () => {
    for (const [guarantee, play] of SCENARIOS) {
      test(guarantee, { timeout: 120_000 }, async () => {
        const driver = await serverDriver(INNGEST_BASE_URL);
        try {
          await play(driver);
        } finally {
          driver.close();
        }
      });
    }
  });
}
