import { setTimeout as sleep } from "node:timers/promises";
import { functions } from "@/inngest/functions";
import { startLocalEngine } from "@/inngest/start-local-engine";
import { withOrgSql } from "@/server/db/with-org";
import { env } from "@/server/env";
import { submitToolRequest } from "@/server/services/requests/submit";
import { APPROVE } from "@/slack/card/card";
import { syncCards } from "@/slack/deliver";
import { startCardKeeper } from "@/slack/keep";
import { type Bench, say, withSlackBench } from "@/test/bench/slack-setup";

const CLICKS = Number(process.argv[2] ?? 200);
const WARM_UP = Math.min(20, CLICKS);
const LOOK_MS = 5;

type Times = { readonly answered: number; readonly locked: number; readonly started: number };

async function until<T>(look: () => Promise<T | null> | T | null): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await sleep(LOOK_MS);
  }
}

/** One card, pressed by an approver: how long until the answer, until its buttons are gone, until the effect begins. */
async function press({ org, grant, running }: Bench): Promise<Times> {
  const { slack } = running;
  const { approval, id } = await submitToolRequest(org.agent.actor, {
    action: "test.final",
    connection: grant.connectionId,
    arguments: { target: "a" },
  });
  await syncCards(org.id, approval?.id ?? "");
  const ts = slack.shown().at(-1)?.ts ?? "";
  const from = performance.now();
  const answer = await slack.click({ ts, actionId: APPROVE, userId: "U_APPROVER" });
  const answered = performance.now() - from;
  if (answer.status !== 200) throw new Error(`a press was answered ${answer.status}`);
  const isLocked = () => !JSON.stringify(slack.shown().find((one) => one.ts === ts)?.blocks).includes(APPROVE);
  await until(() => (isLocked() ? true : null));
  const locked = performance.now() - from;
  const started = await until(async () => {
    const { rows } = await withOrgSql(org.id, (q) =>
      q.query<{ ms: number | null }>(
        `SELECT extract(epoch FROM r.claimed_at - d.decided_at)::float8 * 1000 AS ms FROM tool_request r
         JOIN decision d ON d.org_id = r.org_id AND d.approval_id = r.approval_id WHERE r.id = $1`,
        [id],
      ),
    );
    return rows[0]?.ms ?? null;
  });
  return { answered, locked, started };
}

function row(name: string, values: readonly number[], target: number): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  say(`| ${name} | ${at(0.5)} ms | ${at(0.95)} ms | ${at(1)} ms | ${target} ms |`);
}

async function measure(bench: Bench): Promise<void> {
  const { SYSTEM_DATABASE_URL: systemDatabaseUrl, INNGEST_SIGNING_KEY: signingKey } = env();
  const engine = await startLocalEngine({ systemDatabaseUrl, functions, keys: { signingKey } });
  const keeper = startCardKeeper();
  for (let index = 0; index < WARM_UP; index += 1) await press(bench);
  const times: Times[] = [];
  for (let index = 0; index < CLICKS; index += 1) times.push(await press(bench));
  say(`| ${CLICKS} presses, one after the other | p50 | p95 | worst | aim, p95 |\n| --- | --- | --- | --- | --- |`);
  row(
    "press to answer, the decision stored",
    times.map(({ answered }) => answered),
    150,
  );
  row(
    "press to buttons gone",
    times.map(({ locked }) => locked),
    1_000,
  );
  row(
    "decision stored to effect begun",
    times.map(({ started }) => started),
    500,
  );
  await keeper.stop();
  await engine.stop();
}

await withSlackBench(1_000_000, measure);
