import { z } from "zod";

const optionsSchema = z.looseObject({
  type: z.string().optional(),
  if: z.string().optional(),
  timeout: z.string().optional(),
  event: z.string().optional(),
  duration: z.string().optional(),
  function_id: z.string().optional(),
  payload: z.looseObject({ data: z.record(z.string(), z.unknown()).nullish() }).optional(),
  parallelMode: z.string().optional(),
});

/** One operation that the SDK reports. */
export const operationSchema = z.object({
  id: z.string().min(1).max(200),
  op: z.string(),
  name: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  opts: optionsSchema.nullish(),
});
export type Operation = z.infer<typeof operationSchema>;

/** The operations of an answer: one, or a list. */
export const operationsSchema = z.union([
  z.array(operationSchema).min(1).max(5_000),
  operationSchema.transform((one) => [one]),
]);

const REFUSED_OPERATIONS: Readonly<Record<string, string>> = {
  AIGateway: "step.ai.infer",
  Gateway: "step.fetch",
  WaitForSignal: "step.waitForSignal",
  DeferAdd: "defer",
  DeferAbort: "defer",
};
const REFUSED_TYPES = new Set(["step.ai.infer", "step.realtime.publish", "step.sendSignal"]);

/** The name of the feature behind an operation that the engine lacks; undefined when it has it. */
export function refusedFeature({ op, opts }: Operation): string | undefined {
  const type = opts?.type;
  return REFUSED_OPERATIONS[op] ?? (type !== undefined && REFUSED_TYPES.has(type) ? type : undefined);
}

/** Operations that leave something outstanding: parallel siblings wait until all of them are done. */
export const isPlanned = ({ op }: Operation): boolean =>
  op === "StepPlanned" || op === "Sleep" || op === "WaitForEvent" || op === "InvokeFunction";

export const isRace = ({ opts }: Operation): boolean => opts?.parallelMode === "race";
