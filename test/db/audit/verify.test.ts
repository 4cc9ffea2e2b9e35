import { afterAll, beforeAll, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { overrideEnv } from "@/server/env";
import { BrokenChainError, sealOrganization } from "@/server/services/audit/chain/seal";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { auditSql } from "@/server/services/audit/record";
import { aChain, anEntry } from "./fixture";
import { Hands } from "./hands";

let hands: Hands;
beforeAll(async () => {
  hands = await Hands.onAFreshDatabase();
});
afterAll(() => hands.leave());

it("an untouched log is intact, and its head can be held against it later", async () => {
  await hands.aChainOfTwelve();
  const report = await verifyAudit(hands.orgId);
  expect(report).toMatchObject({ intact: true, entries: 12, head: (await hands.hashAt(11)).toString("hex") });
  await aChain(hands.orgId, 2);
  const known = { size: 12, hash: Buffer.from(report.head, "hex") };
  expect(await verifyAudit(hands.orgId, known)).toMatchObject({ intact: true, entries: 14 });
});

it("an empty log is intact", async () => {
  await hands.anEmptyLog();
  expect(await verifyAudit(hands.orgId)).toMatchObject({ intact: true, entries: 0 });
});

it("verification seals first what waits", async () => {
  await hands.anEmptyLog();
  await withOrgSql(hands.orgId, (q) => auditSql(q, [anEntry(hands.orgId), anEntry(hands.orgId)]));
  expect(await verifyAudit(hands.orgId)).toMatchObject({ intact: true, entries: 2 });
});

it("a checkpoint that the application's key did not make vouches for nothing", async () => {
  const ids = await hands.aChainOfTwelve();
  await hands.run("UPDATE audit_checkpoint SET mac = sha256(mac) WHERE org_id = $1 AND size = 8", [hands.orgId]);
  expect(await hands.firstFault()).toEqual({ index: 4, kind: "changed", eventId: ids[4] });
});

it("a chain that was cut off is not continued, and what is recorded meanwhile waits", async () => {
  await hands.aChainOfTwelve();
  await hands.dropSeal(11);
  await withOrgSql(hands.orgId, (q) => auditSql(q, anEntry(hands.orgId)));
  await expect(sealOrganization(hands.orgId)).rejects.toBeInstanceOf(BrokenChainError);
  expect(await hands.firstFault()).toEqual({ index: 11, kind: "truncated", eventId: null });
});

it("without the key nothing is sealed or verified", async () => {
  await hands.aChainOfTwelve();
  await withOrgSql(hands.orgId, (q) => auditSql(q, anEntry(hands.orgId)));
  overrideEnv({ CONNECTIONS_KEK: undefined });
  try {
    await expect(verifyAudit(hands.orgId)).rejects.toMatchObject({ details: { reason: "vault_key_missing" } });
  } finally {
    overrideEnv({ CONNECTIONS_KEK: Buffer.alloc(32, 7).toString("base64") });
  }
  expect(await verifyAudit(hands.orgId)).toMatchObject({ intact: true, entries: 13 });
});
