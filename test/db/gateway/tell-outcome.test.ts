import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { expireApproval } from "@/server/services/approvals/expire";
import { getApproval } from "@/server/services/approvals/get";
import { tellOutcome } from "@/server/services/people/tell-outcome";
import type { Answer } from "@/server/services/requests/answer";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { systemActor } from "@/server/services/system-actor";
import { gatewayFixture } from "@/test/db/gateway/fixture";

const { org, submit, approve, execute } = gatewayFixture();

const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));
const tell = ({ id }: Answer) => tellOutcome(systemActor(org().id, "test"), { requestId: id });

const reject = async (answer: Answer) => {
  const id = answer.approval?.id ?? "";
  const { digest } = await getApproval(org().approver.actor, { id });
  await decideApproval(org().approver.actor, { id, decision: "reject", digest });
};
const expire = async (answer: Answer) => {
  await sql("UPDATE approval SET expires_at = now() - interval '1 second'");
  await expireApproval(systemActor(org().id, "test"), { approvalId: answer.approval?.id ?? "" });
};
const withdraw = ({ id }: Answer) => cancelToolRequest(org().agent.actor, { id });
const run = async (answer: Answer) => {
  await approve(answer);
  await execute(answer.id);
};
const stop = async (answer: Answer) => {
  await approve(answer);
  await withdraw(answer);
};

describe("who asked is told how it ended", () => {
  it.each([
    ["rejected", reject],
    ["expired", expire],
    ["withdrawn", withdraw],
    ["run", run],
    ["cancelled", stop],
  ])("when it was %s, and not before", async (_how, end) => {
    const answer = await submit("test.final");
    expect(await tell(answer)).toBe(false);
    await end(answer);
    expect(await tell(answer)).toBe(true);
  });

  it("is not told what no person saw, but for an outcome that nobody knows", async () => {
    const answer = await submit("test.write");
    expect(await tell(answer)).toBe(false);
    await sql("UPDATE tool_request SET status = 'outcome_unknown' WHERE id = $1", [answer.id]);
    expect(await tell(answer)).toBe(true);
  });

  it("is not told of an end while it is asked again", async () => {
    const answer = await submit("test.final");
    await sql("UPDATE approval SET status = 'voided'");
    expect(await tell(answer)).toBe(false);
  });
});
