import { withOrgSql } from "@/server/db/with-org";
import { submitToolRequest } from "@/server/services/requests/submit";
import { sweepBehind } from "@/slack/sweep-cards";
import { type Bench, say, withSlackBench } from "@/test/bench/slack-setup";

const CARDS = Number(process.argv[2] ?? 1_000);
/** Slack takes one message a second in a channel. */
const PER_SECOND = Number(process.argv[3] ?? 1);
const AT_ONCE = 16;

async function submitAll({ org, grant }: Bench): Promise<void> {
  let at = 0;
  const work = async () => {
    while (at < CARDS) {
      at += 1;
      const call = { action: "test.final", connection: grant.connectionId, arguments: { target: `card ${at}` } };
      await submitToolRequest(org.agent.actor, call);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** As many cards as it says, asked at once and posted at Slack's pace by the sweep alone. Fails on a lost or a doubled one. */
async function measure(bench: Bench): Promise<void> {
  const { slack } = bench.running;
  await submitAll(bench);
  await withOrgSql(bench.org.id, (q) => q.query("UPDATE approval SET created_at = created_at - interval '1 minute'"));
  const from = performance.now();
  while ((await sweepBehind()) > 0);
  const tookS = (performance.now() - from) / 1_000;
  const texts = slack.shown().map(({ metadata }) => JSON.stringify(metadata));
  if (texts.length !== CARDS || new Set(texts).size !== CARDS) throw new Error("a card was lost or posted twice");
  say(
    `${CARDS} cards, ${PER_SECOND} a second and channel: ${tookS.toFixed(1)} s, each once; asked to wait ${slack.limited} times`,
  );
}

await withSlackBench(PER_SECOND, measure);
