import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, freePort, startCluster } from "@/server/cli/postgres/cluster";
import { ensureDatabase, ensureRoles, roleUrls } from "@/server/cli/postgres/roles";
import { exitOf, newDataDir, startLauncher } from "@/test/support/app";
import { TEST_PASSWORDS } from "@/test/support/roles";

const DATA_DIR = newDataDir();
const FOLDER = dirname(DATA_DIR);

let taken: Server;
let cluster: Cluster;
let urls: ReturnType<typeof roleUrls>;

beforeAll(async () => {
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  cluster = await startCluster({ wanted: join(FOLDER, "postgres"), name: "test-refusals", superuserPassword: "test" });
  await ensureRoles(cluster.superuserUrl, TEST_PASSWORDS);
  await ensureDatabase(cluster.superuserUrl, "countersign");
  urls = roleUrls(cluster.superuserUrl, "countersign", TEST_PASSWORDS);
});

afterAll(async () => {
  taken.close();
  await cluster.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** What a start that must fail says on its error stream and answers as its exit code. */
async function refusal(env: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const { child, output } = startLauncher({ PORT: String(await freePort()), DATA_DIR, ...env });
  const code = await exitOf(child);
  return { code, lines: output().trim().split("\n") };
}

describe("a start that cannot be says why in one line and fails", () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    ["a taken port", () => ({ PORT: String((taken.address() as AddressInfo).port) }), /Port \d+ is taken/],
    ["a malformed variable", () => ({ APPROVAL_TIMEOUT: "soon" }), /APPROVAL_TIMEOUT is malformed/],
    ["a demo beyond loopback", () => ({ DEMO: "1", HOST: "0.0.0.0" }), /HOST must be a loopback address/],
    [
      "an unreachable database",
      () => ({ ...named(), DATABASE_URL: "postgres://o:x@127.0.0.1:1/x" }),
      /no database answers at 127\.0\.0\.1:1/,
    ],
    ["a missing serving connection", () => ({ DATABASE_URL: urls.ownerUrl }), /APP_DATABASE_URL is missing/],
    ["a missing session secret", () => ({ ...named(), SESSION_SECRET: "" }), /SESSION_SECRET is missing/],
    ["an owner that serves", () => ({ ...named(), APP_DATABASE_URL: urls.ownerUrl }), /countersign_owner, which owns/],
    [
      "a superuser that serves",
      () => ({ ...named(), SYSTEM_DATABASE_URL: superuser() }),
      /postgres, which is a superuser/,
    ],
  ])("%s", async (_name, env, expected) => {
    const { code, lines } = await refusal(env());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(expected);
    expect(code).toBe(1);
  });

  it("an unwritable data directory", async () => {
    const file = join(FOLDER, "file");
    writeFileSync(file, "");
    const { code, lines } = await refusal({ DATA_DIR: join(file, "data") });
    expect(lines).toEqual([expect.stringMatching(/DATA_DIR .* cannot be written \(ENOTDIR\)/)]);
    expect(code).toBe(1);
  });

  it("damaged secrets", async () => {
    mkdirSync(DATA_DIR, { recursive: true });
    writeFileSync(join(DATA_DIR, "secrets.json"), "{");
    const { code, lines } = await refusal({});
    expect(lines).toEqual([expect.stringMatching(/secrets\.json is damaged/)]);
    expect(code).toBe(1);
    rmSync(DATA_DIR, { recursive: true });
  });

  it("a Node that is too old", () => {
    const script = `import("./server/cli/prepare.mjs").then(({ requireNode, fail }) => { try { requireNode("18.19.0") } catch (e) { fail(e) } })`;
    const run = () => execFileSync(process.execPath, ["-e", script], { encoding: "utf8", stdio: "pipe" });
    expect(run).toThrow(/Countersign needs Node 20\.20 or newer; this is 18\.19\.0\./);
  });
});

function named(): Record<string, string> {
  return {
    DATABASE_URL: urls.ownerUrl,
    APP_DATABASE_URL: urls.appUrl,
    SYSTEM_DATABASE_URL: urls.systemUrl,
    SESSION_SECRET: "a-session-secret-for-tests-alone-0123456789",
  };
}

function superuser(): string {
  const url = new URL(cluster.superuserUrl);
  url.pathname = "/countersign";
  return url.toString();
}
