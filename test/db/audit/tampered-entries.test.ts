import { afterAll, beforeAll, expect, it } from "vitest";
import { leafOf, linkOf } from "@/server/services/audit/chain/hashes";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { Hands } from "./hands";

let hands: Hands;
beforeAll(async () => {
  hands = await Hands.onAFreshDatabase();
});
afterAll(() => hands.leave());

it("a changed entry is named", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.setEvent(ids[6], "canonical", await hands.rewritten(ids[6]));
  expect(await hands.firstFault()).toEqual({ index: 6, kind: "changed", eventId: ids[6] });
});

it("an entry changed together with its leaf is named", async () => {
  const ids = await hands.aChainOfTwelve();
  const canonical = await hands.rewritten(ids[6]);
  await hands.setEvent(ids[6], "canonical", canonical);
  await hands.setEvent(ids[6], "leaf", leafOf(canonical));
  expect(await hands.firstFault()).toEqual({ index: 6, kind: "changed", eventId: ids[6] });
});

it("an entry changed together with its leaf and its link is named", async () => {
  const ids = await hands.aChainOfTwelve();
  const canonical = await hands.rewritten(ids[5]);
  const leaf = leafOf(canonical);
  await hands.setEvent(ids[5], "canonical", canonical);
  await hands.setEvent(ids[5], "leaf", leaf);
  await hands.setSeal(5, "hash", linkOf(await hands.hashAt(4), leaf, 5));
  expect(await hands.firstFault()).toEqual({ index: 5, kind: "changed", eventId: ids[5] });
});

it("a chain rewritten with all its hashes fails at the first checkpoint after the change", async () => {
  const ids = await hands.aChainOfTwelve();
  const canonical = await hands.rewritten(ids[4]);
  await hands.setEvent(ids[4], "canonical", canonical);
  await hands.setEvent(ids[4], "leaf", leafOf(canonical));
  for (let index = 4; index < 12; index += 1) {
    const previous = await hands.hashAt(index - 1);
    const { rows } = await hands.run("SELECT leaf FROM audit_event WHERE org_id = $1 AND id = $2", [
      hands.orgId,
      ids[index],
    ]);
    await hands.setSeal(index, "previous", previous);
    await hands.setSeal(index, "hash", linkOf(previous, rows[0].leaf, index));
  }
  expect(await hands.firstFault()).toEqual({ index: 4, kind: "changed", eventId: ids[4] });
  const head = await hands.hashAt(11);
  await hands.run("UPDATE audit_checkpoint SET head = $2 WHERE org_id = $1 AND size = 12", [hands.orgId, head]);
  await hands.run("DELETE FROM audit_checkpoint WHERE org_id = $1 AND size = 8", [hands.orgId]);
  expect(await hands.firstFault()).toEqual({ index: 4, kind: "changed", eventId: ids[4] });
});

it.each(["type", "request_id", "actor_id", "agent_id"])(
  "a changed column %s beside the hashed bytes is named",
  async (column) => {
    const ids = await hands.aChainOfTwelve();
    await hands.run(`UPDATE audit_event SET ${column} = 'other' WHERE org_id = $1 AND id = $2`, [hands.orgId, ids[2]]);
    expect(await hands.firstFault()).toEqual({ index: 2, kind: "changed", eventId: ids[2] });
  },
);

it("a personal value may be erased and not exchanged", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.run("DELETE FROM audit_personal WHERE org_id = $1 AND event_id = $2", [hands.orgId, ids[3]]);
  await hands.run("DELETE FROM audit_personal WHERE org_id = $1 AND event_id = $2 AND field = 'email'", [
    hands.orgId,
    ids[4],
  ]);
  expect(await verifyAudit(hands.orgId)).toMatchObject({ intact: true, entries: 12 });
  await hands.run("UPDATE audit_personal SET value = 'Eve' WHERE org_id = $1 AND event_id = $2 AND field = 'name'", [
    hands.orgId,
    ids[7],
  ]);
  expect(await hands.firstFault()).toEqual({ index: 7, kind: "changed", eventId: ids[7] });
});

it("an entry put in another's place is named", async () => {
  await hands.aChainOfTwelve();
  const forged = await hands.forgedEvent();
  await hands.setSeal(5, "event_id", forged.id);
  expect(await hands.firstFault()).toEqual({ index: 5, kind: "inserted", eventId: forged.id });
});

it.each(["with the right link", "with a wrong link"])("an entry put between others %s is named", async (how) => {
  await hands.aChainOfTwelve();
  const forged = await hands.forgedEvent();
  for (let index = 11; index >= 5; index -= 1) await hands.moveSeal(index, index + 1);
  const previous = how === "with the right link" ? await hands.hashAt(4) : Buffer.alloc(32);
  const hash = how === "with the right link" ? linkOf(previous, forged.leaf, 5) : Buffer.alloc(32, 1);
  await hands.addSeal(5, forged.id, { previous, hash });
  expect(await hands.firstFault()).toEqual({ index: 5, kind: "inserted", eventId: forged.id });
});

it("an entry put at the end with the right link is named", async () => {
  await hands.aChainOfTwelve();
  const forged = await hands.forgedEvent();
  const previous = await hands.hashAt(11);
  await hands.addSeal(12, forged.id, { previous, hash: linkOf(previous, forged.leaf, 12) });
  expect(await hands.firstFault()).toEqual({ index: 12, kind: "inserted", eventId: forged.id });
});

it("an entry put beside the chain is named", async () => {
  await hands.aChainOfTwelve();
  const forged = await hands.forgedEvent();
  expect(await hands.firstFault()).toEqual({ index: 12, kind: "inserted", eventId: forged.id });
});
