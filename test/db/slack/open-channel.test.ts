import { expect, it } from "vitest";
import { slackFixture } from "@/test/db/slack/fixture";

const { slack, post, shown } = slackFixture();

it("shows nothing but a link in a channel that was opened to others after it was connected", async () => {
  slack().channel.is_shared = true;
  const { ts } = await post("test.final", { target: "a", text: "a secret of ours" });
  expect(shown(ts)).toContain("not shown in a channel that is public or shared");
  expect(shown(ts)).not.toMatch(/a secret of ours|approval\.(approve|reject)/);
});
