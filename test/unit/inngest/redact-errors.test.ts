import { NonRetriableError, RetryAfterError, StepError } from "inngest";
import { expect, test } from "vitest";
import { withoutContent } from "@/inngest/redact-errors";
import { AppError } from "@/server/domain/errors";

const SECRET = "quoted content";

test("an error that leaves the process keeps its name and code, and nothing that it quotes", () => {
  const cause = new Error(SECRET);
  const errors = [
    Object.assign(new TypeError(SECRET, { cause }), { code: "23505", detail: SECRET }),
    new AppError("conflict", SECRET, { reason: "digest_mismatch", field: SECRET }, { cause }),
    new NonRetriableError("gave up", { cause }),
    new RetryAfterError("busy", "10m", { cause }),
    { message: SECRET },
    SECRET,
  ].map(withoutContent);
  const shown = errors.map(({ name, message }) => `${name}: ${message}`);
  expect(shown).toEqual([
    "TypeError: 23505",
    "AppError: digest_mismatch",
    "NonRetriableError: gave up",
    "RetryAfterError: busy",
    "Error: internal error",
    "Error: internal error",
  ]);
  for (const error of errors) {
    expect(`${error.stack}${error.cause}${JSON.stringify(error)}`).not.toContain(SECRET);
  }
});

test("what decides about retries survives", () => {
  expect(withoutContent(new NonRetriableError("x"))).toBeInstanceOf(NonRetriableError);
  expect(withoutContent(new RetryAfterError("x", "10m"))).toMatchObject({ retryAfter: "600" });
  const failed = new StepError("id", { name: "TypeError", message: "23505" });
  expect(withoutContent(failed)).toBe(failed);
});
