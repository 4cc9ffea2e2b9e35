import { serve } from "inngest/edge";
import { failing } from "@/test/support/inngest/functions/failing";
import { parallel } from "@/test/support/inngest/functions/parallel";
import { various } from "@/test/support/inngest/functions/various";
import { waiting } from "@/test/support/inngest/functions/waiting";
import { type Kit, testClient } from "@/test/support/inngest/test-client";

export type ConformanceOptions = {
  /** Seconds that stand for one hour in the scenarios. */
  readonly hourS: number;
  /** Where steps write what they did, in order. */
  readonly trace: string[];
  readonly fetch?: typeof fetch;
  /** Whether a function that runs every hour is among them. */
  readonly isScheduled?: boolean;
};

/** The functions of the conformance suite, and their signed handler. */
export function conformanceApp({ hourS, trace, fetch: engineFetch, isScheduled = false }: ConformanceOptions) {
  const client = testClient("conformance", engineFetch);
  const kit: Kit = { client, log: (entry) => trace.push(entry), hours: (count) => `${count * hourS}s` };
  const hourly = client.createFunction({ id: "hourly", triggers: { cron: "0 * * * *" } }, async ({ step }) => {
    await step.run("tick", () => trace.push("tick"));
  });
  const functions = [
    ...(isScheduled ? [hourly] : []),
    ...waiting(kit),
    ...failing(kit),
    ...parallel(kit),
    ...various(kit),
  ];
  return { client, functions, handler: serve({ client, functions }) };
}
