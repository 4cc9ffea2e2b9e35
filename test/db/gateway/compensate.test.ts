import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { getApproval } from "@/server/services/approvals/get";
import { describeToolRequest } from "@/server/services/requests/detail";
import { submitToolRequest } from "@/server/services/requests/submit";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { testOrganization } from "@/test/support/organization";
import { testGrant } from "@/test/support/test-tools";

const { org, submit } = gatewayFixture();

describe("a request that makes good for an earlier one", () => {
  it("is an ordinary request, and both name each other", async () => {
    const first = await submit("test.write");
    const second = await submit("test.write", { target: "back" }, { compensates: first.id });
    const asked = await submit("test.final", { target: "back too" }, { compensates: first.id });
    const { actor } = org().auditor;
    expect(await describeToolRequest(actor, { id: first.id })).toMatchObject({
      compensates: null,
      compensatedBy: [
        { id: second.id, status: "succeeded" },
        { id: asked.id, status: "pending" },
      ],
    });
    const { compensates, timeline } = await describeToolRequest(actor, { id: second.id });
    expect(compensates).toEqual({ id: first.id, status: "succeeded" });
    expect(timeline.find(({ type }) => type === "request.submitted")?.fields).toMatchObject({ compensates: first.id });
    const approval = await getApproval(org().approver.actor, { id: asked.approval?.id ?? "" });
    expect(approval.compensates).toBe(first.id);
  });

  it("names one that ran, of the same agent", async () => {
    const waits = await submit("test.final");
    const none = `req_${"0".repeat(26)}`;
    for (const compensates of [waits.id, none]) {
      expect(await reasonOf(submit("test.write", { target: "a" }, { compensates }))).toBe("not_compensable");
    }
    const other = await testOrganization();
    await withOrgSql(other.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous'"));
    const { connectionId } = await testGrant(other, "/dev/null");
    const theirs = await submitToolRequest(other.agent.actor, {
      action: "test.write",
      connection: connectionId,
      arguments: { target: "a" },
    });
    expect(await reasonOf(submit("test.write", { target: "a" }, { compensates: theirs.id }))).toBe("not_compensable");
  });

  it("is another call under one idempotency key than one that makes good for nothing", async () => {
    const first = await submit("test.write");
    const key = { idempotencyKey: "k1" };
    const made = await submit("test.write", { target: "b" }, { ...key, compensates: first.id });
    const again = await submit("test.write", { target: "b" }, { ...key, compensates: first.id });
    expect(again.id).toBe(made.id);
    expect(await reasonOf(submit("test.write", { target: "b" }, key))).toBe("idempotency_key_reused");
  });
});
