import { describe, expect, it } from "vitest";
import { getApproval } from "@/server/services/approvals/get";
import { createRule } from "@/server/services/rules/create";
import { longWaiting } from "./long-waiting";

const { org, submit, approve, sql, rule, idOf, age, waiting } = longWaiting();

describe("what changed since something was asked days ago", () => {
  const changed = async (id: string, person = org().admin) => (await getApproval(person.actor, { id })).changedSince;

  it("is told after a day, and nothing before", async () => {
    const { id } = await waiting();
    await age(id, "23 hours");
    expect(await changed(id)).toBeNull();
    await age(id, "2 hours");
    expect(await changed(id)).toEqual({
      rules: null,
      grant: null,
      price: null,
      knownSince: [],
      knownSinceCount: 0,
      asksBesides: [],
      asksNoMore: [],
      verdict: "as_asked",
      why: null,
    });
  });

  it("is not told of what expires, or is decided", async () => {
    const expiring = idOf(await submit("test.final"));
    await age(expiring, "2 days");
    expect(await changed(expiring)).toBeNull();
    const { answer, id } = await waiting();
    await age(id, "2 days");
    await approve(answer);
    expect(await changed(id)).toBeNull();
  });

  it("names rules and reasons that came and went, and what a decision would come to", async () => {
    const { id } = await waiting();
    await age(id, "2 days");
    await rule("two", { people: 2 });
    expect(await changed(id)).toMatchObject({
      verdict: "asks_more",
      asksBesides: ['The rule "two" asks for a person.'],
    });
    const before = (await getApproval(org().admin.actor, { id })).changedSince?.rules;
    expect((before?.to ?? 0) - (before?.from ?? 0)).toBe(1);
    await createRule(org().admin.actor, { name: "none", verdict: "deny", condition: "true" });
    expect(await changed(id)).toMatchObject({ verdict: "refused", why: "An organization rule forbids this." });
  });

  it("names the grant that changed, or is gone", async () => {
    const { id } = await waiting();
    await age(id, "2 days");
    await sql("UPDATE agent_grant SET version = version + 1, per_day = 10");
    expect(await changed(id)).toMatchObject({ verdict: "other_call", grant: { to: 2 } });
    await sql("UPDATE agent_grant SET revoked_at = now()");
    expect(await changed(id)).toMatchObject({ verdict: "refused", grant: { to: null } });
  });

  it("names recipients only to who may see content", async () => {
    const { id } = await waiting();
    await age(id, "2 days");
    await sql(
      "INSERT INTO seen_target (org_id, agent_id, connection_id, target) SELECT org_id, agent_id, connection_id, 'a' FROM tool_request",
    );
    expect(await changed(id)).toMatchObject({ knownSince: ["a"], knownSinceCount: 1, verdict: "as_asked" });
    expect(await changed(id, org().auditor)).toMatchObject({ knownSince: [], knownSinceCount: 1 });
  });
});
