import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
// Long enough for a busy machine: how long things take is measured by benchmarks.
const poll = { timeout: 20_000, interval: 50 };
const resolve = { alias: [{ find: /^@\//, replacement: `${root}/` }] };

export default defineConfig({
  resolve,
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.{ts,tsx}"],
          setupFiles: ["test/support/env.ts"],
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: "db",
          include: ["test/db/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          setupFiles: ["test/support/env.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll },
        },
      },
      {
        resolve,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          fileParallelism: false,
          // A browser on a busy machine now and then misses a moment; the report says which test was tried again.
          retry: 1,
          testTimeout: 120_000,
          hookTimeout: 300_000,
          expect: { poll },
        },
      },
    ],
  },
});
