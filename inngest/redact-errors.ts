import { Middleware, NonRetriableError, RetryAfterError, StepError } from "inngest";
import { AppError } from "@/server/domain/errors";
import { errorFields, log } from "@/server/log";

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.reason;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code.slice(0, 40) : "internal error";
}

/**
 * What durable work may keep of an error: names and codes. Messages are left out, since drivers and parsers quote what
 * they were given and Inngest stores and shows them; those of Inngest's own errors are written in our functions.
 */
export function withoutContent(error: unknown): Error {
  if (error instanceof StepError) return error; // redacted when the step threw; the SDK knows it by identity
  if (error instanceof NonRetriableError) return new NonRetriableError(error.message);
  if (error instanceof RetryAfterError) return Object.assign(error, { cause: undefined });
  const redacted = new Error(codeOf(error));
  redacted.name = error instanceof Error ? error.name : "Error";
  return redacted;
}

/** Keeps content out of the errors that leave this process, and logs where they came from. */
export class RedactErrors extends Middleware.BaseMiddleware {
  readonly id = "redact-errors";

  override async wrapStepHandler({ next, stepInfo }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      log.error({ step: stepInfo.options.id, ...errorFields(error) }, "a step of durable work failed");
      throw withoutContent(error);
    }
  }

  override async wrapFunctionHandler({ next, ctx }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    try {
      return await next();
    } catch (error) {
      if (!(error instanceof StepError)) log.error({ run: ctx.runId, ...errorFields(error) }, "durable work failed");
      throw withoutContent(error);
    }
  }
}
