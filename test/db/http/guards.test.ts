import { describe, expect, it, vi } from "vitest";
import { closePools } from "@/server/db/pools";
import { overrideEnv } from "@/server/env";
import { handleTrpc } from "@/server/http/trpc";
import { handleV1 } from "@/server/http/v1";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";

const two = twoOrganizations();
const ORIGIN = "http://localhost:3000";
const JSON_TYPE = { "content-type": "application/json" };

const call = (path: string, init: RequestInit = {}) => handleV1(new Request(`${ORIGIN}/api/v1${path}`, init));

describe("a cookie", () => {
  it("reads from anywhere, and changes things from our own pages alone", async () => {
    const { cookie = "" } = await cookieOf(two.ours.admin);
    const change = async (headers: Record<string, string>, name: string) =>
      (
        await call("/departments", {
          method: "POST",
          headers: { cookie, ...JSON_TYPE, ...headers },
          body: JSON.stringify({ name }),
        })
      ).status;
    expect((await call("/me", { headers: { cookie } })).status).toBe(200);
    expect(await change({ origin: ORIGIN, "sec-fetch-site": "same-origin" }, "ours")).toBeLessThan(300);
    expect(
      await change({ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }, "by another local name"),
    ).toBeLessThan(300);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3001" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: ORIGIN },
      { "sec-fetch-site": "none" },
    ]) {
      expect(await change(headers as unknown as Record<string, string>, "x"), JSON.stringify(headers)).toBe(403);
    }
  });
});

describe("a database that cannot be reached", () => {
  it("is told as such over both surfaces, and leaves no address or password in the answer or the log", async () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    await closePools();
    overrideEnv({ APP_DATABASE_URL: "postgres://countersign_app:hunter2@127.0.0.1:1/nowhere" });
    const headers = { authorization: `Bearer ${two.ours.agent.key}` };
    try {
      const response = await call("/me", { headers });
      const text = await response.text();
      expect(response.status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({ code: "database_unavailable", status: 503 });
      const trpc = await handleTrpc(new Request(`${ORIGIN}/api/trpc/me.get?input={}`, { headers }));
      expect(trpc.status).toBe(503);
      expect(`${text}${await trpc.text()}${written.join("")}`).not.toMatch(/hunter2|127\.0\.0\.1:1|nowhere/);
      expect(written.join("")).toContain("ECONNREFUSED");
    } finally {
      spy.mockRestore();
      await closePools();
    }
  });
});
