import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { beforeAll, describe, expect, it } from "vitest";
import { handleTrpc } from "@/server/http/trpc";
import type { AppRouter } from "@/server/trpc/root";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";

const two = twoOrganizations();
const ORIGIN = "http://localhost:3000";

const clientWith = (headers: Record<string, string>) =>
  createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${ORIGIN}/api/trpc`,
        headers,
        fetch: (url, init) => handleTrpc(new Request(url as string, init as RequestInit)),
      }),
    ],
  });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof TRPCClientError ? error.data : error),
  );
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let asAgent: ReturnType<typeof clientWith>;
let asOwner: ReturnType<typeof clientWith>;
beforeAll(async () => {
  asAgent = clientWith(bearer(two.ours.agent.key));
  asOwner = clientWith(await cookieOf(two.ours.owner));
});

const raw = (path: string, init: RequestInit = {}) =>
  handleTrpc(
    new Request(`${ORIGIN}/api/trpc/${path}`, { ...init, headers: { ...bearer(two.ours.agent.key), ...init.headers } }),
  );
const post = (path: string, body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
  raw(path, { method: "POST", body, headers });
const reasonOf = async (response: Response) =>
  ((await response.json()) as { error: { data: { reason: string } } }).error.data.reason;

describe("the typed client", () => {
  it("calls queries and mutations as an agent and as a person", async () => {
    expect(await asAgent.me.get.query({})).toMatchObject({ kind: "agent", id: two.ours.agent.id });
    const made = await asOwner.tokens.create.mutate({ name: "made over tRPC" });
    expect(made.token).toMatch(/^csk_user_/);
    // Times are text on the wire, and in the types.
    expect(new Date(made.expiresAt).getTime()).toBeGreaterThan(Date.now());
  });

  it("gets the stable code, the field and the request's id of what is refused", async () => {
    expect(await failure(asOwner.tokens.create.mutate({ name: "x", expiresInDays: 400 }))).toMatchObject({
      code: "UNPROCESSABLE_CONTENT",
      httpStatus: 422,
      reason: "invalid",
      field: "expiresInDays",
      requestId: expect.any(String),
    });
    expect(await failure(asAgent.members.list.query({}))).toMatchObject({ httpStatus: 403, reason: "wrong_caller" });
    expect(await failure(clientWith({}).me.get.query({}))).toMatchObject({ httpStatus: 401 });
    expect(await failure(clientWith(bearer("csk_user_x")).me.get.query({}))).toMatchObject({
      reason: "invalid_credential",
    });
  });

  it("is sent to HTTP for a download", async () => {
    expect(await failure(asOwner.audit.export.query({ format: "jsonl" }))).toMatchObject({ reason: "http_only" });
  });
});

describe("a call that no client of ours would make", () => {
  it("has the same strict body as over HTTP", async () => {
    expect(await reasonOf(await post("toolRequests.submit", '{"action":"a","action":"b"}'))).toBe("json_duplicate_key");
    expect(await reasonOf(await post("toolRequests.submit", '{"note":9007199254740993}'))).toBe("json_unsafe_number");
    expect(await reasonOf(await post("toolRequests.submit", "{}", { "content-type": "text/plain" }))).toBe("not_json");
    expect(
      await reasonOf(await post("toolRequests.submit", "{}", { "content-type": "multipart/form-data; boundary=x" })),
    ).toBe("not_json");
    expect((await post("toolRequests.submit", JSON.stringify({ note: "x".repeat(1_048_576) }))).status).toBe(413);
    expect(await reasonOf(await raw(`me.get?input=${encodeURIComponent('{"a":1,"a":2}')}`))).toBe("json_duplicate_key");
    expect((await raw("me.get?input={}&input={}")).status).toBe(422);
  });

  it("is not served in batches, nor as a query what changes something", async () => {
    expect((await raw("me.get,me.get?batch=1&input={}")).status).toBeGreaterThanOrEqual(400);
    expect((await raw("toolRequests.submit?input={}")).status).toBe(405);
    expect((await raw("nothing.here?input={}")).status).toBe(404);
  });

  it("with a person's cookie from another site is refused", async () => {
    const { cookie = "" } = await cookieOf(two.ours.owner);
    const response = await handleTrpc(
      new Request(`${ORIGIN}/api/trpc/tokens.create`, {
        method: "POST",
        headers: { cookie, origin: "https://evil.example", "content-type": "application/json" },
        body: '{"name":"x"}',
      }),
    );
    expect(response.status).toBe(403);
    expect(await reasonOf(response)).toBe("cross_origin");
  });
});
