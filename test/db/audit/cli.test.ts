import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closePools } from "@/server/db/pools";
import { inheritedEnv } from "@/server/env";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { TEST_ENV } from "@/test/support/env";
import { aChain, anAttacker, anOrganization } from "./fixture";

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(async () => {
  await closePools();
  await db.drop();
});

/** `npm run audit:verify` in the environment of a server. */
async function verify(...args: string[]): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", "server/cli/audit-verify.ts", ...args], {
    env: { ...inheritedEnv(), ...TEST_ENV, APP_DATABASE_URL: db.appUrl, SYSTEM_DATABASE_URL: db.systemUrl },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const [code] = await once(child, "close");
  return { code, text };
}

it("the command line names what is wrong with which log, and what was cut off since a kept head", async () => {
  const [ours, other] = [await anOrganization(), await anOrganization()];
  const ids = await aChain(ours, 2, 2);
  await aChain(other, 3);
  const before = await verify("--organization", ours);
  expect(before).toMatchObject({ code: 0, text: expect.stringContaining(`${ours}: intact; 4 entries, head `) });
  const head = /head ([0-9a-f]{64})/.exec(before.text)?.[1] ?? "";
  const owner = await anAttacker(db.superuserUrl, db.name);
  await owner.run("UPDATE audit_event SET type = 'x' WHERE org_id = $1 AND id = $2", [ours, ids[1]]);
  const all = await verify();
  expect(all.code).toBe(1);
  expect(all.text).toContain(`${ours}: NOT INTACT, changed at entry 1 (${ids[1]})`);
  expect(all.text).toContain(`${other}: intact`);
  await owner.run("DELETE FROM audit_seal WHERE org_id = $1 AND idx >= 1", [ours]);
  await owner.run("DELETE FROM audit_event WHERE org_id = $1 AND id <> $2", [ours, ids[0]]);
  await owner.run("DELETE FROM audit_checkpoint WHERE org_id = $1", [ours]);
  await owner.end();
  const kept = await verify("--organization", ours, "--entries", "4", "--head", head);
  expect(kept).toMatchObject({ code: 1, text: expect.stringContaining("NOT INTACT") });
  expect(await verify("--head", "00")).toMatchObject({ code: 2 });
}, 60_000);
