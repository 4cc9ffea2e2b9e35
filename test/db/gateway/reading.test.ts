import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { decideApprovals } from "@/server/services/approvals/decide-many";
import { editAndApprove } from "@/server/services/approvals/edit";
import { getApproval } from "@/server/services/approvals/get";
import { openApproval } from "@/server/services/approvals/open";
import { changeApproverSafety } from "@/server/services/approver-safety/change";
import { approverFigures } from "@/server/services/approver-safety/figures";
import type { Answer } from "@/server/services/requests/answer";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { recorded } from "@/test/db/admin/fixture";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { type TestPerson, testOrganization } from "@/test/support/organization";

const { org, submit, execute, performed, state } = gatewayFixture();
const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));

const ruleThatAsks = (secondIfQuick = true) =>
  createRule(org().admin.actor, { name: "Read it", verdict: "approval", condition: "true", secondIfQuick });

const shown = (answer: Answer, who: TestPerson = org().approver) =>
  getApproval(who.actor, { id: answer.approval?.id ?? "" });

async function approve(answer: Answer, who: TestPerson = org().approver) {
  const { id, digest } = await shown(answer, who);
  return decideApproval(who.actor, { id, digest, decision: "approve" });
}

/** As if they had opened it that long ago. */
const openedAgo = (answer: Answer, seconds: number, who: TestPerson = org().approver) =>
  sql(
    "INSERT INTO approval_opening (org_id, approval_id, member_id, opened_at) VALUES (app.org_id(), $1, $2, now() - make_interval(secs => $3))",
    [answer.approval?.id, who.id, seconds],
  );

describe("a rule that asks for a second person where an approver is too quick", () => {
  it("asks for one after an approval of what was just opened, and the log has how long it was open", async () => {
    await ruleThatAsks();
    const answer = await submit("test.final");
    await openApproval(org().approver.actor, { id: answer.approval?.id ?? "" });
    expect(await approve(answer)).toMatchObject({ status: "pending", remaining: 1, requestStatus: "pending" });
    const now = await shown(answer);
    expect(now.required.people).toBe(2);
    expect(now.reasons.map(({ code }) => code)).toContain("too_quick");
    const [entry] = await recorded(org().id, "approval.given");
    expect(entry?.document.fields).toMatchObject({ tooQuick: true, readingMs: 2_000, remaining: 1 });
    expect(entry?.document.fields).toHaveProperty("openedAt");
    expect(await reasonOf(approve(answer))).toBe("same_person");
    expect(await approve(answer, org().admin)).toMatchObject({ status: "approved" });
    expect(await execute(answer.id)).toBe("ran");
    expect(performed(answer.id)).toBe(1);
  });

  it("asks for nobody else where it could have been read, nor without such a rule", async () => {
    const rule = await ruleThatAsks();
    const read = await submit("test.final");
    await openedAgo(read, 3);
    expect(await approve(read)).toMatchObject({ status: "approved", remaining: 0 });
    await changeRule(org().admin.actor, { id: rule.id, version: rule.version, secondIfQuick: false });
    expect(await approve(await submit("test.final", { target: "b" }))).toMatchObject({ status: "approved" });
  });

  it("takes the longer, the more there is to read", async () => {
    await ruleThatAsks();
    const text = Array.from({ length: 400 }, () => "word").join(" ");
    const answer = await submit("test.order", { target: "a", text });
    await openedAgo(answer, 20);
    expect(await approve(answer)).toMatchObject({ status: "pending" });
    const other = await submit("test.order", { target: "b", text });
    await openedAgo(other, 60);
    expect(await approve(other)).toMatchObject({ status: "approved" });
  });

  it("counts what was never opened as unread, in a batch and in an edit alike", async () => {
    await ruleThatAsks();
    const many = await shown(await submit("test.final"));
    const items = [{ id: many.id, digest: many.digest }];
    const batch = await decideApprovals(org().approver.actor, { decision: "approve", items });
    expect(batch.results).toMatchObject([{ ok: true, status: "pending", remaining: 1 }]);
    const order = await shown(await submit("test.order", { target: "a", text: "as asked" }));
    const edited = { id: order.id, digest: order.digest, arguments: { target: "a", text: "as edited" } };
    expect(await editAndApprove(org().approver.actor, edited)).toMatchObject({ status: "pending", remaining: 1 });
  });

  it("is asked anew once where a rule comes to ask for it while it waits, and can be approved then", async () => {
    const rule = await ruleThatAsks(false);
    const answer = await submit("test.final");
    const { id: ruleId, version } = rule;
    await changeRule(org().admin.actor, { id: ruleId, version, secondIfQuick: true, expiresMinutes: 5 });
    expect(await reasonOf(approve(answer))).toBe("changed");
    const anew = await state(answer.id);
    await openedAgo(anew, 3);
    expect(await approve(anew)).toMatchObject({ status: "approved" });
  });

  it("counts the longer of both versions of an edit", async () => {
    await ruleThatAsks();
    const text = Array.from({ length: 400 }, () => "word").join(" ");
    const answer = await submit("test.order", { target: "a", text });
    await openedAgo(answer, 20);
    const { id, digest } = await shown(answer);
    const edited = { id, digest, arguments: { target: "a", text: "word" } };
    expect(await editAndApprove(org().approver.actor, edited)).toMatchObject({ status: "pending" });
  });

  it("keeps the first opening, and notes none of what no longer waits or belongs to others", async () => {
    const answer = await submit("test.final");
    const id = answer.approval?.id ?? "";
    await openedAgo(answer, 60);
    await openApproval(org().approver.actor, { id });
    const { rows } = await sql("SELECT now() - opened_at > interval '50 seconds' AS first FROM approval_opening");
    expect(rows).toEqual([{ first: true }]);
    await approve(answer);
    await openApproval(org().admin.actor, { id });
    expect((await sql("SELECT 1 FROM approval_opening")).rowCount).toBe(1);
    const other = await testOrganization("Other");
    expect(await reasonOf(openApproval(other.owner.actor, { id }))).toBe("not_found");
  });

  it("has an owner who is alone read it, since nobody else could be the second", async () => {
    await ruleThatAsks();
    await sql("UPDATE agent SET owner_id = $1", [org().owner.id]);
    await sql("UPDATE member SET disabled_at = now() WHERE id <> $1", [org().owner.id]);
    await changeApproverSafety(org().owner.actor, { version: 0, ownerDecidesOwn: true });
    const answer = await submit("test.final");
    expect(await reasonOf(approve(answer, org().owner))).toBe("read_first");
    expect((await shown(answer, org().owner)).required.people).toBe(1);
    await openedAgo(answer, 3, org().owner);
    expect(await approve(answer, org().owner)).toMatchObject({ status: "approved" });
  });

  it("asks one more person however many approve unread at once", async () => {
    await ruleThatAsks();
    const answer = await submit("test.final");
    const people = [org().owner, org().admin, org().approver];
    const results = await Promise.allSettled(people.flatMap((who) => [approve(answer, who), approve(answer, who)]));
    const decided = results.filter((result) => result.status === "fulfilled").map(({ value }) => value.status);
    expect(decided.sort()).toEqual(["approved", "pending"]);
    expect((await shown(answer)).given).toBe(2);
  });
});

describe("how people decided", () => {
  const decision = (who: TestPerson, verb: "approve" | "reject", openS: number | null, daysAgo = 0) =>
    sql(
      `INSERT INTO decision (id, org_id, approval_id, member_id, decision, mac, via, credential_id, decided_at, opened_at, reading_ms)
       SELECT 'dec_' || a.id, a.org_id, a.id, $1, $2::text, '\\x00', 'sign_in', 'x', now() - make_interval(days => $4::int),
         now() - make_interval(days => $4::int) - make_interval(secs => $3), CASE $2::text WHEN 'approve' THEN 4000 END
       FROM approval a WHERE NOT EXISTS (SELECT 1 FROM decision d WHERE d.approval_id = a.id) AND a.org_id = app.org_id()
       ORDER BY a.id LIMIT 1`,
      [who.id, verb, openS, daysAgo],
    );

  it("is shown to owners: times, shares and runs, of the days asked for", async () => {
    for (let at = 0; at < 8; at += 1) await submit("test.final", { target: String(at) });
    const { approver, admin, owner } = org();
    await decision(approver, "approve", 60, 40);
    await decision(approver, "approve", 1);
    await decision(approver, "approve", null);
    await decision(approver, "reject", 2);
    await decision(approver, "approve", 3);
    await decision(approver, "approve", 10);
    await decision(admin, "reject", 5);
    const { items } = await approverFigures(owner.actor, { days: 30 });
    expect(items).toMatchObject([
      { id: approver.id, decided: 5, approved: 4, medianMs: 2_500, tooQuick: 3, longestRun: 2 },
      { id: admin.id, decided: 1, approved: 0, medianMs: 5_000, tooQuick: 0, longestRun: 0 },
    ]);
    expect((await approverFigures(owner.actor, { days: 90 })).items[0]).toMatchObject({ decided: 6 });
    expect(await reasonOf(approverFigures(admin.actor, { days: 30 }))).toBe("not_permitted");
    expect((await approverFigures((await testOrganization("Other")).owner.actor, {})).items).toEqual([]);
  });
});
