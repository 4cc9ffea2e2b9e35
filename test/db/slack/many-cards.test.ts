import { expect, it } from "vitest";
import { sweepBehind } from "@/slack/sweep-cards";
import { slackFixture } from "@/test/db/slack/fixture";

/** Slack takes one message a second in a channel. Here it is twice as fast, its answers the same; the benchmark has more. */
const PER_SECOND = 2;
const CARDS = 24;
const SWEEPERS = 2;

const { slack, submit, rows } = slackFixture("http", PER_SECOND);

it("many more cards than Slack takes at once are all posted, each once, and Slack is left alone when it asks for it", async () => {
  const asked = await Promise.all(Array.from({ length: CARDS }, (_, at) => submit("test.final", { target: `${at}` })));
  await rows("UPDATE approval SET created_at = created_at - interval '1 minute'");
  const sweepAll = async () => {
    while ((await sweepBehind()) > 0);
  };
  const startedAt = Date.now();
  await Promise.all(Array.from({ length: SWEEPERS }, sweepAll));
  const tookS = (Date.now() - startedAt) / 1_000;
  const cards = await rows<{ approval_id: string; ts: string }>("SELECT approval_id, ts FROM slack_card");
  expect(cards.map(({ approval_id: id }) => id).sort()).toEqual(asked.map(({ approvalId }) => approvalId).sort());
  const posted = slack().shown();
  expect(posted.map(({ ts }) => ts).sort()).toEqual(cards.map(({ ts }) => ts).sort());
  // Each sweeper may run into the limit once before both know of it, and again a second later.
  expect(slack().limited).toBeGreaterThan(0);
  expect(slack().limited).toBeLessThanOrEqual(SWEEPERS * Math.ceil(tookS + 1));
}, 60_000);
