import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { permissionsOfToken } from "@/server/domain/permission";
import { sealJson } from "@/server/services/gateway/content";
import { submitToolRequest } from "@/server/services/requests/submit";
import { createRule } from "@/server/services/rules/create";
import { replayRules } from "@/server/services/rules/replay";
import { fiveCases } from "@/test/support/five-cases";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { registerTestTools, testGrant } from "@/test/support/test-tools";
import { outsiders, recorded, twoOrganizations } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const asks = { name: "asks", verdict: "approval", condition: "args.target == 'ask'" } as const;
const denies = { name: "denies", verdict: "deny", condition: "args.target == 'deny'" } as const;

/** An organization in which one request of each kind was made: allowed, asked, forbidden by a rule, refused otherwise. */
async function withPast(): Promise<TestOrganization & { ids: Record<string, string> }> {
  registerTestTools();
  const org = await testOrganization();
  await withOrgSql(org.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous'"));
  const { connectionId } = await testGrant(org, "/dev/null");
  await createRule(org.admin.actor, { name: "no", verdict: "deny", condition: "args.target == 'forbidden'" });
  await createRule(org.admin.actor, { name: "yes", verdict: "approval", condition: "args.target == 'ruled'" });
  const ask = (action: string, target: string) =>
    submitToolRequest(org.agent.actor, { action, connection: connectionId, arguments: { target } }).then(
      ({ id }) => id,
      (error: { details: { extra: { id: string } } }) => error.details.extra.id,
    );
  const ids = {
    allowed: await ask("test.write", "allowed"),
    ruled: await ask("test.write", "ruled"),
    floor: await ask("test.final", "floor"),
    forbidden: await ask("test.write", "forbidden"),
    refused: await ask("test.write", `AKIA${"ABCDEFGHIJKLMNOP"}`),
  };
  return { ...org, ids };
}

describe("rules.replay", () => {
  beforeAll(registerTestTools);
  fiveCases({
    command: replayRules,
    allowed: async () => ({ actor: admin(), input: { rules: [asks, denies] } }),
    invalid: async () => ({ actor: admin(), input: { rules: [], days: 91 }, field: "days" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { rules: [] } }),
    otherOrganization: null,
    conflict: null,
  });

  it("takes a whole draft or one change, and says where a condition goes wrong", async () => {
    await expect(replayRules(admin(), {})).rejects.toMatchObject({ code: "invalid" });
    await expect(replayRules(admin(), { rules: [], change: asks })).rejects.toMatchObject({ code: "invalid" });
    const wrong = { ...asks, condition: "amuont > 1.0" };
    await expect(replayRules(admin(), { change: wrong })).rejects.toMatchObject({
      details: { field: "condition", extra: { line: 1, column: 1, suggestion: "amount" } },
    });
  });

  it("answers no token that may manage rules but not read content: a condition's answer tells of arguments", async () => {
    const permissions = permissionsOfToken("admin", ["manage"]);
    const actor = { ...admin(), via: "token" as const, permissions };
    await expect(replayRules(actor, { rules: [] })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("tells each request that would have got something else, and what", async () => {
    const { ids, ...org } = await withPast();
    const nothing = await replayRules(org.admin.actor, { rules: [] });
    const changesOf = ({ changes }: typeof nothing) =>
      Object.fromEntries(changes.map(({ id, was, would }) => [id, `${was.verdict} → ${would.verdict}`]));
    // Without rules the floor still asks.
    expect(changesOf(nothing)).toEqual({
      [ids.ruled ?? ""]: "approval → allow",
      [ids.forbidden ?? ""]: "deny → allow",
    });
    expect(nothing).toMatchObject({ done: 5, total: 5, requests: 5, unreadable: 0, nextCursor: null });
    const strict = await replayRules(org.admin.actor, {
      rules: [{ name: "none", verdict: "deny", condition: "args.target != 'ruled'" }],
    });
    expect(changesOf(strict)).toEqual({
      [ids.allowed ?? ""]: "allow → deny",
      [ids.ruled ?? ""]: "approval → allow",
      [ids.floor ?? ""]: "approval → deny",
    });
    expect(strict.changes.find(({ id }) => id === ids.allowed)).toMatchObject({
      headline: "Write to allowed",
      rules: ["none"],
    });
  });

  it("tries one change on top of the rules in force, and sees that other people would be asked", async () => {
    const { ids, ...org } = await withPast();
    const change = { name: "two", verdict: "approval", condition: "true", people: 2 } as const;
    const { changes } = await replayRules(org.admin.actor, { change });
    expect(changes.map(({ id, would }) => [id, would.verdict, would.needs?.people]).sort()).toEqual(
      [ids.allowed, ids.ruled, ids.floor].map((id) => [id, "approval", 2]).sort(),
    );
  });

  it("a condition that fails denies, as it would when it is in force", async () => {
    const { ids, ...org } = await withPast();
    const { changes } = await replayRules(org.admin.actor, { change: { ...asks, condition: "args.missing == 'x'" } });
    expect(changes.find(({ id }) => id === ids.allowed)).toMatchObject({
      was: { verdict: "allow" },
      would: { verdict: "deny" },
    });
  });

  it("looks back as far as it is told, changes nothing, and leaves counts in the log and no content", async () => {
    const { ids, ...org } = await withPast();
    const rows = () =>
      withOrgSql(org.id, async (q) => (await q.query("SELECT * FROM tool_request r ORDER BY id")).rows);
    await withOrgSql(org.id, (q) =>
      q.query("UPDATE tool_request SET created_at = now() - interval '8 days' WHERE id = $1", [ids.allowed]),
    );
    const before = await rows();
    expect(await replayRules(org.admin.actor, { rules: [] })).toMatchObject({ days: 7, total: 4 });
    expect(await replayRules(org.admin.actor, { rules: [asks], days: 9 })).toMatchObject({ total: 5 });
    expect(await rows()).toEqual(before);
    const entries = await recorded(org.id, "rules.replayed");
    expect(entries.map(({ document }) => document.fields)).toEqual([
      { days: 7, rules: 0, requests: 4, changed: 2 },
      { days: 9, rules: 1, requests: 5, changed: 2 },
    ]);
    expect(JSON.stringify(entries)).not.toContain("forbidden");
  });
});

const MANY = 10_000;
/** Rows a statement inserts: the time a statement may take is limited here as in production. */
const AT_ONCE = 500;

/** As many requests of the past days as a replay takes, each with arguments of its own. */
async function fill(org: TestOrganization): Promise<void> {
  const { connectionId } = await testGrant(org, "/dev/null");
  const first = await submitToolRequest(org.agent.actor, {
    action: "test.write",
    connection: connectionId,
    arguments: { target: "first" },
  });
  for (let made = 0; made < MANY; made += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, () => newId("toolRequest"));
    const rows = await Promise.all(
      ids.map(async (id, at) => ({
        id,
        sealed_arguments: `\\x${(await sealJson(org.id, id, "arguments", { target: `t${at % 100}`, text: "text ".repeat(100) })).toString("hex")}`,
      })),
    );
    await withOrgSql(org.id, (q) =>
      q.query(
        `INSERT INTO tool_request SELECT copy.*
         FROM jsonb_to_recordset($1::jsonb) AS n(id text, sealed_arguments text), tool_request t,
           LATERAL jsonb_populate_record(t, to_jsonb(n) || jsonb_build_object('created_at', clock_timestamp() - random() * interval '6 days')) copy
         WHERE t.id = $2`,
        [JSON.stringify(rows), first.id],
      ),
    );
  }
}

it("tries ten thousand requests, part by part, and says how far it is", async () => {
  registerTestTools();
  const org = await testOrganization();
  await withOrgSql(org.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous'"));
  await fill(org);
  const rules = Array.from({ length: 10 }, (_, at) => ({
    ...asks,
    name: `r${at}`,
    condition: `args.target == 't${at}'`,
  }));
  let cursor: { before: string; done: number } | undefined;
  let changed = 0;
  let parts = 0;
  do {
    const part = await replayRules(org.admin.actor, { rules, ...(cursor ? { cursor } : {}) });
    expect(part.total).toBe(MANY);
    changed += part.changes.length;
    parts += 1;
    cursor = part.nextCursor ?? undefined;
  } while (cursor);
  expect(parts).toBe(5);
  expect(changed).toBeGreaterThanOrEqual(MANY / 10 - 1);
}, 60_000);
