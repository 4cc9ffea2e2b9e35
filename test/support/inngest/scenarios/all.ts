import type { Scenario } from "@/test/support/inngest/driver";
import { FAILING } from "@/test/support/inngest/scenarios/failing";
import { PARALLEL } from "@/test/support/inngest/scenarios/parallel";
import { VARIOUS } from "@/test/support/inngest/scenarios/various";
import { WAITING } from "@/test/support/inngest/scenarios/waiting";

/** What must be so on every engine that runs the functions. */
export const SCENARIOS: readonly Scenario[] = [...WAITING, ...FAILING, ...PARALLEL, ...VARIOUS];
