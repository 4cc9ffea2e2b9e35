import { describe, expect, it } from "vitest";
import { errorFields } from "@/server/log";

describe("what is logged of an error", () => {
  it("is names, codes and frames along its causes, never a message", () => {
    const cause = Object.assign(new Error("duplicate key (email)=(ada@example.com)"), { code: "23505" });
    const fields = errorFields(new TypeError("secret-value", { cause }));
    expect(fields.error).toBe("TypeError < Error:23505");
    expect(JSON.stringify(fields)).not.toMatch(/secret-value|ada@example/);
    expect(fields.frames).not.toHaveLength(0);
  });

  it("ends, also for errors that are their own cause", () => {
    const error = new Error("x");
    error.cause = error;
    expect(String(errorFields(error).error).split(" < ").length).toBeLessThanOrEqual(4);
  });
});
