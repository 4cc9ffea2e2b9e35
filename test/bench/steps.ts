import { hot } from "@/server/db/hot";
import type { Facts } from "@/server/domain/facts";
import { CHECKS } from "@/server/gateway/pipeline";
import { loadFacts } from "@/server/services/gateway/load-facts";
import { classifyCall, parseCall } from "@/server/services/gateway/prepare-call";
import { scanCall } from "@/server/services/gateway/scan";
import { submitToolRequest } from "@/server/services/requests/submit";
import type { Caller } from "./seed";

const CALLS = 400;
const EVALUATIONS = 5_000;

export type StepTime = { readonly step: string; readonly ms: number };

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Median milliseconds of each round trip to the database and of the rest, over calls made one after the other in this process. */
export async function timeSteps(caller: Caller): Promise<StepTime[]> {
  const times = new Map<string, number[]>();
  const undo = watch(times);
  const totals: number[] = [];
  const input = { action: "bench.noop", connection: caller.connection, arguments: { text: "what an agent would say" } };
  for (let call = 0; call < CALLS; call += 1) {
    const started = performance.now();
    await submitToolRequest(caller.agent.actor, input);
    totals.push(performance.now() - started);
  }
  undo();
  const steps = [...times].map(([step, values]) => ({ step, ms: median(values) }));
  const total = median(totals);
  const rest = total - steps.reduce((sum, { ms }) => sum + ms, 0);
  return [
    ...steps,
    { step: "everything in the process", ms: rest },
    { step: "the whole call, without HTTP and the credential", ms: total },
  ];
}

/** Wraps each round trip of the hot path so that its time is kept; the returned function takes the wraps off. */
function watch(times: Map<string, number[]>): () => void {
  const steps = hot as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const originals = { ...steps };
  for (const [name, original] of Object.entries(originals)) {
    steps[name] = async (...args) => {
      const started = performance.now();
      const result = await original(...args);
      times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
      return result;
    };
  }
  return () => Object.assign(steps, originals);
}

/** Mean microseconds of each check over the facts of one call. */
export async function timeChecks(caller: Caller): Promise<StepTime[]> {
  const { actor } = caller.agent;
  const parsed = parseCall("bench.noop", { text: "what an agent would say" }, undefined);
  const { facts: found } = await loadFacts({
    orgId: actor.orgId,
    agentId: actor.agentId,
    keyId: actor.credentialId,
    connectionId: caller.connection,
    session: "default",
    targets: [],
    idempotencyKey: null,
    currency: null,
  });
  const started = performance.now();
  for (let index = 0; index < EVALUATIONS; index += 1) await scanCall(parsed);
  const scan = ((performance.now() - started) * 1000) / EVALUATIONS;
  const facts: Facts = { ...found, secretHits: [], isTakenUp: false };
  const call = classifyCall(parsed, facts);
  const checks = CHECKS.map((check) => {
    const from = performance.now();
    for (let index = 0; index < EVALUATIONS; index += 1) check.run(call, facts);
    return { step: check.name, ms: (performance.now() - from) / EVALUATIONS };
  });
  return checks.map((check) => (check.step === "secret_scan" ? { ...check, ms: check.ms + scan / 1000 } : check));
}
