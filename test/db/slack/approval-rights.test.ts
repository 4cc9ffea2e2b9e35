import { beforeEach, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { giveRight } from "@/server/services/approval-rights/give";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, post, approve, decisions, statusOf, refusals } = slackFixture();
const give = () => giveRight(org().admin.actor, { member: org().member.id, maxRisk: "medium" });

beforeEach(async () => {
  await withOrgSql(org().id, (q) => q.query("UPDATE approval_right SET withdrawn_at = now()"));
});

it("a member with a right to approve decides by a press, as the right says", async () => {
  await give();
  const { approvalId, ts } = await post();
  await approve(ts, "U_MEMBER");
  expect(await statusOf(approvalId)).toBe("approved");
  expect(await decisions(approvalId)).toMatchObject([{ member_id: org().member.id, via: "slack" }]);
});

it("a press of who got the right after the card was posted decides nothing, and stands in the log", async () => {
  const { approvalId, ts } = await post();
  await give();
  await approve(ts, "U_MEMBER");
  expect(await statusOf(approvalId)).toBe("pending");
  expect(await refusals(approvalId)).toEqual([{ code: "authority_given_later", actor: "member" }]);
});
