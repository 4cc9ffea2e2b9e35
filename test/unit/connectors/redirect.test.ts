import { afterEach, describe, expect, test } from "vitest";
import { performHttp } from "@/server/connectors/http/perform";
import { createRedactor } from "@/server/vault/redactor";
import { closeAll, open, opened, runEcho, runHttp } from "@/test/support/echo";

afterEach(closeAll);

const redirecting = (status: number, location: string | (() => string)) => {
  const calls: string[] = [];
  const server = opened(
    runHttp((request, response) => {
      calls.push(`${request.method} ${request.url}`);
      const to = typeof location === "string" ? location : location();
      if (request.url === "/done") response.writeHead(200, { "content-type": "text/plain" }).end("done");
      else response.writeHead(status, { location: to }).end();
    }),
  );
  return server.then((running) => ({ ...running, calls }));
};

type Rules = { allow?: object; trusts?: (destination: string) => boolean; privateHosts?: string[]; origins?: string[] };
const value = "s3cr3t-s3cr3t";

function call(method: string, url: string, rules: Rules = {}) {
  return performHttp({
    action: "http.request",
    args: {
      method,
      url,
      headers: { "x-note": "private note", accept: "text/plain" },
      ...(method === "POST" ? { body: "hello" } : {}),
    },
    config: { origins: rules.origins ?? [] },
    credential: { kind: "header", name: "X-Api-Key", value },
    requestId: "req_1",
    allow: {
      methods: ["GET", "POST", "HEAD"],
      schemes: ["http"],
      hosts: ["127.0.0.1"],
      ports: open.map((server) => server.port),
      pathPrefixes: ["/"],
      headers: ["x-note", "accept"],
      ...rules.allow,
    },
    trusts: rules.trusts ?? (() => true),
    signal: new AbortController().signal,
    privateHosts: rules.privateHosts ?? open.map((server) => server.host),
    redactor: createRedactor([value]),
  });
}
const REFUSED = { kind: "failed", code: "redirect_refused" };

describe("a read", () => {
  test.each([301, 302, 303, 307, 308])("follows a %d within the grant", async (status) => {
    const server = await redirecting(status, "/done#part");
    const outcome = await call("GET", `${server.origin}/start`);
    expect(outcome).toMatchObject({
      kind: "succeeded",
      result: { status: 200, body: "done", url: `${server.origin}/done` },
    });
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://localhost/",
    "//169.254.169.254/",
    "http://evil.example/",
    "http://user:pw@127.0.0.1/",
    "http://2130706433/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "javascript:alert(1)",
    "http://",
    "/%2fetc",
    "\\\\evil.example\\",
  ])("does not follow to %s", async (location) => {
    const server = await redirecting(302, location);
    expect(await call("GET", `${server.origin}/start`)).toMatchObject(REFUSED);
    expect(server.calls).toEqual(["GET /start"]);
  });

  test("does not follow to a host that is allowed but resolves to a private address", async () => {
    const inner = await opened(runEcho());
    const server = await redirecting(302, `${inner.origin}/`);
    const outcome = await call("GET", `${server.origin}/start`, { privateHosts: [server.host] });
    expect(outcome).toMatchObject({ kind: "failed", code: "address_refused" });
  });

  test("does not follow outside the grant's paths, ports or methods", async () => {
    const server = await redirecting(302, "/admin");
    expect(await call("GET", `${server.origin}/start`, { allow: { pathPrefixes: ["/start"] } })).toMatchObject(REFUSED);
    const other = await opened(runEcho());
    const leads = await redirecting(302, `${other.origin}/`);
    expect(await call("GET", `${leads.origin}/start`, { allow: { ports: [leads.port] } })).toMatchObject(REFUSED);
  });

  test("does not follow to a host that nobody trusts, though the grant lists it", async () => {
    const other = await opened(runEcho());
    const server = await redirecting(302, `${other.origin}/?leak=1`);
    const outcome = await call("GET", `${server.origin}/start`, {
      trusts: (destination) => destination === server.host,
    });
    expect(outcome).toMatchObject(REFUSED);
  });

  test("takes neither credential nor headers along to another origin, even one that has the credential", async () => {
    const other = await opened(runEcho());
    const server = await redirecting(302, `${other.origin}/`);
    const outcome = await call("GET", `${server.origin}/start`, { origins: [server.origin, other.origin] });
    const { headers } = JSON.parse((outcome as unknown as { result: { body: string } }).result.body);
    expect(headers).toMatchObject({ accept: "text/plain", host: other.host });
    expect(headers["x-api-key"]).toBeUndefined();
    expect(headers["x-note"]).toBeUndefined();
  });

  test("keeps the credential within the origin", async () => {
    const keys: unknown[] = [];
    const server = await opened(
      runHttp((request, response) => {
        keys.push(request.headers["x-api-key"]);
        if (request.url === "/start") response.writeHead(302, { location: "/next" }).end();
        else response.writeHead(200, { "content-type": "text/plain" }).end("ok");
      }),
    );
    await call("GET", `${server.origin}/start`, { origins: [server.origin] });
    expect(keys).toEqual([value, value]);
  });

  test("gives up after five", async () => {
    let turn = 0;
    const server = await redirecting(302, () => `/again${turn++}`);
    expect(await call("GET", `${server.origin}/start`)).toMatchObject({ kind: "failed", code: "too_many_redirects" });
    expect(server.calls.length).toBe(6);
  });
});

describe("a write", () => {
  test.each([307, 308])("is never repeated elsewhere: %d is its answer", async (status) => {
    const server = await redirecting(status, "/done");
    const outcome = await call("POST", `${server.origin}/start`);
    expect(outcome).toMatchObject({ kind: "succeeded", result: { status, headers: { location: "/done" } } });
    expect(server.calls).toEqual(["POST /start"]);
  });

  test.each([301, 302, 303])("is followed by a read after %d", async (status) => {
    const server = await redirecting(status, "/done");
    expect(await call("POST", `${server.origin}/start`)).toMatchObject({
      kind: "succeeded",
      result: { status: 200, body: "done" },
    });
    expect(server.calls).toEqual(["POST /start", "GET /done"]);
  });

  test("keeps its own answer where what follows is refused or lost", async () => {
    const refused = await redirecting(303, "http://169.254.169.254/");
    expect(await call("POST", `${refused.origin}/start`)).toMatchObject({ kind: "succeeded", result: { status: 303 } });
    const gone = await runEcho();
    await gone.close();
    const lost = await redirecting(303, `${gone.origin}/`);
    open.push({ ...gone, close: async () => undefined });
    expect(await call("POST", `${lost.origin}/start`)).toMatchObject({ kind: "succeeded", result: { status: 303 } });
  });
});
