import { describe, expect, it } from "vitest";
import { AppError, type AppErrorCode } from "@/server/domain/errors";
import { outageOf } from "@/server/domain/outage";
import { problemResponse } from "@/server/http/problem";

const STATUSES: Record<AppErrorCode, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  refused: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

describe("a problem document", () => {
  it("has the status of its code", () => {
    for (const [code, status] of Object.entries(STATUSES)) {
      expect(problemResponse(new AppError(code as AppErrorCode, "x"), { requestId: "r" }).status, code).toBe(status);
    }
  });

  it("holds what the refusal says of itself, and cannot be made to say another status or code", async () => {
    const extra = { check: "grant", id: "req_1", status: 200, code: "ok", type: "x" };
    const error = new AppError("refused", "Not granted.", { reason: "no_grant", extra, retryAfterS: 7 });
    const response = problemResponse(error, { requestId: "r" });
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toEqual({
      type: "urn:countersign:problem:refused",
      title: "Refused by a check",
      status: 403,
      detail: "Not granted.",
      code: "no_grant",
      check: "grant",
      id: "req_1",
      reason: "Not granted.",
      requestId: "r",
    });
  });
});

describe("an outage", () => {
  const failing = (code: string) => Object.assign(new Error("connect 10.0.0.7:5432"), { code });

  it("is told by the codes of network, PostgreSQL and Prisma, however deep", () => {
    for (const code of ["ECONNREFUSED", "57P01", "53300", "08006", "P1001"]) {
      const wrapped = new Error("outer", { cause: new Error("inner", { cause: failing(code) }) });
      expect(outageOf(wrapped), code).toMatchObject({ code: "unavailable", reason: "database_unavailable" });
      expect(outageOf(wrapped)?.message).not.toContain("10.0.0.7");
    }
    expect(outageOf(new Error("timeout exceeded when trying to connect"))).not.toBeNull();
  });

  it("is not a bug, a refusal, or what is no error at all", () => {
    for (const thrown of [
      failing("23505"),
      new TypeError("x"),
      new AppError("conflict", "x", {}, { cause: failing("08006") }),
      "text",
      undefined,
    ]) {
      expect(outageOf(thrown)).toBeNull();
    }
  });
});
