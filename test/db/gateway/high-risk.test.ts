import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import type { Answer } from "@/server/services/requests/answer";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { TEST_PASSWORD } from "@/test/support/organization";

const { org, submit, execute, state, performed } = gatewayFixture();

async function answer(asked: Answer, more: object, actor = org().approver.actor) {
  const id = asked.approval?.id ?? "";
  const { digest } = await getApproval(org().approver.actor, { id });
  return decideApproval(actor, { id, digest, decision: "approve", ...more });
}

const recorded = (type: string) =>
  withOrgSql(org().id, async (q) => {
    const { rows } = await q.query<{ code: string | null }>(
      `SELECT convert_from(canonical, 'UTF8')::jsonb #>> '{fields,code}' AS code FROM audit_event
       WHERE org_id = app.org_id() AND type = $1 ORDER BY id`,
      [type],
    );
    return rows.map(({ code }) => code);
  });

describe("approving high risk", () => {
  it("takes the password once more, whatever the caller came with", async () => {
    const asked = await submit("test.high");
    const { actor } = org().approver;
    for (const via of ["sign_in", "token", "slack"] as const) {
      expect(await reasonOf(answer(asked, {}, { ...actor, via }))).toBe("proof_required");
    }
    expect(await reasonOf(answer(asked, { password: "not the password" }))).toBe("wrong_password");
    expect(await state(asked.id)).toMatchObject({ status: "pending" });
    expect(await recorded("approval.refused")).toEqual(Array(3).fill("proof_required"));
    expect(await recorded("sign_in.failed")).toEqual(["wrong_password"]);
    expect(await answer(asked, { password: TEST_PASSWORD })).toMatchObject({ status: "approved" });
    expect(await execute(asked.id)).toBe("ran");
    expect(performed(asked.id)).toBe(1);
  });

  it("goes by the risk that the action declares now, should the row say less", async () => {
    const asked = await submit("test.high");
    await withOrgSql(org().id, (q) => q.query("UPDATE tool_request SET risk = 'low' WHERE id = $1", [asked.id]));
    expect(await reasonOf(answer(asked, {}))).toBe("proof_required");
  });

  it("is not to be guessed: wrong passwords lock the account, and then the right one is none", async () => {
    const asked = await submit("test.high");
    let last = "";
    for (let tries = 0; tries < 12 && last !== "account_locked"; tries += 1) {
      last = await reasonOf(answer(asked, { password: `guess ${tries}` }));
    }
    expect(last).toBe("account_locked");
    expect(await reasonOf(answer(asked, { password: TEST_PASSWORD }))).toBe("account_locked");
    expect(await state(asked.id)).toMatchObject({ status: "pending" });
  });

  it("is not needed to reject, nor for what is not high risk", async () => {
    expect(await answer(await submit("test.high"), { decision: "reject" })).toMatchObject({ status: "rejected" });
    expect(await answer(await submit("test.final"), {})).toMatchObject({ status: "approved" });
  });

  it("is somebody's own: the password of another does not do", async () => {
    const asked = await submit("test.high");
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE member SET password_hash = NULL WHERE id = $1", [org().approver.id]),
    );
    expect(await reasonOf(answer(asked, { password: TEST_PASSWORD }))).not.toBe("it did not fail");
    expect(await state(asked.id)).toMatchObject({ status: "pending" });
  });
});
