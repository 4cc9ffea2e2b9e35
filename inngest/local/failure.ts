import { z } from "zod";

/** Ends the run at once, as Inngest does when a run asks for what it may not have. The message names the feature. */
export class RunFailure extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** What the SDK speaks but this engine does not. */
export const unsupported = (feature: string): RunFailure =>
  new RunFailure("Unsupported", `${feature} is not supported by the local engine`);

const thrown = z.object({
  error: z.unknown().optional(),
  name: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  stack: z.string().optional().catch(undefined),
  cause: z.unknown().optional(),
});

export type RunError = {
  readonly name: string;
  readonly message: string;
  readonly error: string;
  readonly stack?: string | undefined;
  readonly cause?: unknown;
};

/** The form in which Inngest reports an error to parents, to `onFailure` and in its events. */
export function runError(value: unknown): RunError {
  const source = value instanceof Error ? { name: value.name, message: value.message } : value;
  const { error, name, message, stack, cause } = thrown.catch({}).parse(source);
  const text = message || (typeof error === "string" ? error : "") || "Function execution error";
  return { name: name || "Error", message: text, error: text, stack, ...(cause === undefined ? {} : { cause }) };
}
