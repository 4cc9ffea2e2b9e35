import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { withOrgSql } from "@/server/db/with-org";
import { submitToolRequest } from "@/server/services/requests/submit";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { connectSlack } from "@/server/services/slack/connect";
import { slackFixture } from "@/test/db/slack/fixture";
import { testOrganization } from "@/test/support/organization";
import { testGrant } from "@/test/support/test-tools";

const { org, slack, submit, rows } = slackFixture();

it("organizations take turns: one with many cards that are behind keeps no other waiting", async () => {
  const other = await testOrganization();
  const grant = await testGrant(other, join(mkdtempSync(join(tmpdir(), "countersign-turns-")), "effects"));
  slack().tokens.set("xoxb-other", { team: "T_OTHER", enterprise: null });
  await connectSlack(other.admin.actor, { token: "xoxb-other", channelId: DEMO_CHANNEL });
  for (let count = 0; count < 5; count += 1) await submit();
  await submitToolRequest(other.agent.actor, {
    action: "test.final",
    connection: grant.connectionId,
    arguments: { target: "a" },
  });
  const age = "UPDATE approval SET created_at = clock_timestamp() - $1::interval";
  await rows(age, ["2 minutes"]);
  await withOrgSql(other.id, (q) => q.query(age, ["1 minute"]));
  const turns = (await cardsBehind()).map(({ organizationId }) => organizationId);
  expect(turns).toEqual([org().id, other.id, org().id, org().id, org().id, org().id]);
});
