import { z } from "zod";

const concurrency = z.object({ limit: z.number(), key: z.string().optional(), scope: z.string().optional() });

/** The part of a function's configuration that is read; `check.ts` refuses whatever else is there. */
export const functionConfigSchema = z.object({
  id: z.string().min(1).max(300),
  triggers: z.array(
    z.union([
      z.strictObject({ cron: z.string(), jitter: z.string().optional() }),
      z.strictObject({ event: z.string().min(1), expression: z.string().optional() }),
    ]),
  ),
  steps: z.strictObject({
    step: z.object({ retries: z.object({ attempts: z.number().optional() }).optional() }),
  }),
  cancel: z
    .array(z.strictObject({ event: z.string().min(1), if: z.string().optional(), timeout: z.string().optional() }))
    .optional(),
  concurrency: z.union([z.number(), concurrency, z.array(concurrency)]).optional(),
});
export type FunctionConfig = z.infer<typeof functionConfigSchema>;

/** The options of a function that the engine honours. */
export const KNOWN_OPTIONS: ReadonlySet<string> = new Set([...Object.keys(functionConfigSchema.shape), "name"]);

/** The answer to a sync: each function as the SDK configured it. */
export const syncAnswerSchema = z.object({ functions: z.array(z.looseObject({ id: z.string() })).max(1_000) });
