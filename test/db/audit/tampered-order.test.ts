import { afterAll, beforeAll, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { canonicalEvent } from "@/server/services/audit/canonical";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { aChain, anEntry } from "./fixture";
import { Hands } from "./hands";

let hands: Hands;
beforeAll(async () => {
  hands = await Hands.onAFreshDatabase();
});
afterAll(() => hands.leave());

it("an entry removed from under its seal is named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.dropEvent(ids[9]);
  expect(await hands.firstFault()).toEqual({ index: 9, kind: "removed", eventId: ids[9] });
});

it("an entry removed with its seal is named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.dropSeal(6);
  await hands.dropEvent(ids[6]);
  expect(await hands.firstFault()).toEqual({ index: 6, kind: "removed", eventId: null });
});

it("an entry removed with its seal, the rest moved up, is named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.dropSeal(6);
  await hands.dropEvent(ids[6]);
  for (let index = 7; index < 12; index += 1) await hands.moveSeal(index, index - 1);
  expect(await hands.firstFault()).toEqual({ index: 6, kind: "removed", eventId: null });
});

it("an entry removed before it is sealed leaves its place in the chain", async () => {
  await hands.anEmptyLog();
  await aChain(hands.orgId, 3);
  const entry = canonicalEvent(hands.orgId, anEntry(hands.orgId));
  await withOrgSql(hands.orgId, (q) => q.query("SELECT app.write_audit($1::jsonb)", [JSON.stringify([entry])]));
  await hands.dropEvent(entry.id);
  expect(await hands.firstFault()).toEqual({ index: 3, kind: "removed", eventId: entry.id });
  expect(await verifyAudit(hands.orgId)).toMatchObject({ intact: false, entries: 4 });
});

it("two seals that changed places are named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.moveSeal(5, 99);
  await hands.moveSeal(8, 5);
  await hands.moveSeal(99, 8);
  expect(await hands.firstFault()).toEqual({ index: 5, kind: "reordered", eventId: ids[8] });
});

it("two neighbours that changed places are named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.moveSeal(5, 99);
  await hands.moveSeal(6, 5);
  await hands.moveSeal(99, 6);
  expect(await hands.firstFault()).toEqual({ index: 5, kind: "reordered", eventId: ids[6] });
});

it("two events that changed seals are named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.setSeal(2, "event_id", "aside");
  await hands.setSeal(10, "event_id", ids[2]);
  await hands.setSeal(2, "event_id", ids[10]);
  expect(await hands.firstFault()).toEqual({ index: 2, kind: "reordered", eventId: ids[10] });
});

it("an end cut off is named, with and without its entries", async () => {
  const ids = await hands.aChainOfTwelve();
  for (const index of [9, 10, 11]) await hands.dropSeal(index);
  expect(await hands.firstFault()).toEqual({ index: 9, kind: "truncated", eventId: null });
  for (const index of [9, 10, 11]) await hands.dropEvent(ids[index]);
  expect(await hands.firstFault()).toEqual({ index: 9, kind: "truncated", eventId: null });
});

it("a log emptied whole is named", async () => {
  await hands.aChainOfTwelve();
  await hands.run("DELETE FROM audit_seal WHERE org_id = $1", [hands.orgId]);
  await hands.run("DELETE FROM audit_event WHERE org_id = $1", [hands.orgId]);
  expect(await hands.firstFault()).toEqual({ index: 0, kind: "truncated", eventId: null });
});

it("an end cut off with its checkpoints is named by whoever kept the head", async () => {
  await hands.aChainOfTwelve();
  const known = { size: 12, hash: await hands.hashAt(11) };
  for (const index of [8, 9, 10, 11]) await hands.dropSeal(index);
  await hands.run(
    "DELETE FROM audit_event e WHERE org_id = $1 AND NOT EXISTS (SELECT 1 FROM audit_seal s WHERE s.org_id = e.org_id AND s.event_id = e.id)",
    [hands.orgId],
  );
  await hands.run("DELETE FROM audit_checkpoint WHERE org_id = $1 AND size = 12", [hands.orgId]);
  expect((await verifyAudit(hands.orgId, known)).firstFault).toEqual({ index: 8, kind: "truncated", eventId: null });
});
