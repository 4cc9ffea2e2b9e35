import { afterEach, describe, expect, test } from "vitest";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";
import { closeAll, opened, runEcho, runHttp, runHttps } from "@/test/support/echo";
import { credential, reply, result, run } from "@/test/support/http-call";

afterEach(closeAll);

describe("a call", () => {
  test("reaches the service with its method, path, headers and body", async () => {
    const echo = await opened(runEcho());
    const args = { method: "POST", url: `${echo.origin}/echo?a=1`, headers: { "X-Note": "hi" }, body: { b: [1, "é"] } };
    const { status, body, contentType, headers } = await result({ args });
    const echoed = JSON.parse(body ?? "");
    expect(status).toBe(200);
    expect(contentType).toContain("application/json");
    expect(headers["content-type"]).toBe(contentType);
    expect(echoed).toMatchObject({ method: "POST", path: "/echo?a=1", body: '{"b":[1,"é"]}' });
    expect(echoed.headers).toMatchObject({ host: echo.host, "x-note": "hi", "content-type": "application/json" });
    expect(echoed.headers["accept-encoding"]).toBe("identity");
  });

  test("that the service answers with an error is answered", async () => {
    const server = await opened(runHttp(reply(500, { "content-type": "text/plain", "set-cookie": "a=b" }, "no")));
    const { status, body, headers } = await result({ args: { method: "DELETE", url: `${server.origin}/x` } });
    expect([status, body, headers["set-cookie"]]).toEqual([500, "no", undefined]);
  });

  test("does not use an address that the operator did not name", async () => {
    const echo = await opened(runEcho());
    const outcome = await run({ args: { method: "GET", url: `${echo.origin}/` }, privateHosts: [] });
    expect(outcome).toMatchObject({ kind: "failed", code: "address_refused" });
  });

  test("connects to the address that was checked, whatever the name says later, and keeps the name in Host", async () => {
    const echo = await opened(runEcho());
    let lookups = 0;
    const resolver = async () => {
      lookups++;
      return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const url = `http://localhost:${echo.port}/`;
    const { body } = await result({
      args: { method: "GET", url },
      privateHosts: [`localhost:${echo.port}`],
      overrides: { resolver },
    });
    expect(lookups).toBe(1);
    expect(JSON.parse(body ?? "").headers.host).toBe(`localhost:${echo.port}`);
  });

  test("tries the next checked address where the first does not answer", async () => {
    const echo = await opened(runEcho());
    const resolver = async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    const url = `http://localhost:${echo.port}/`;
    const call = { args: { method: "POST", url }, privateHosts: [`localhost:${echo.port}`], overrides: { resolver } };
    expect((await result(call)).status).toBe(200);
  });
});

describe("the credential", () => {
  test("is added for the connection's origin and masked in the answer, however it is written", async () => {
    const server = await opened(
      runHttp((request, response) => {
        const key = String(request.headers["x-api-key"]);
        const body = [
          key,
          JSON.stringify(key),
          encodeURIComponent(key),
          Buffer.from(`a${key}b`).toString("base64"),
          Buffer.from(key).toString("hex"),
        ];
        response
          .writeHead(200, { "content-type": "text/plain", etag: JSON.stringify(key), "x-request-id": key })
          .end(body.join("\n"));
      }),
    );
    const shown = await result({ args: { method: "GET", url: `${server.origin}/` }, credential });
    expect(shown.body?.split("\n").every((line) => line.includes("[secret]") || line.includes("<secret>"))).toBe(true);
    expect(JSON.stringify(shown)).not.toMatch(/s3cr3t|czNjcjN0|733363723374/);
  });

  test("is not added for another origin", async () => {
    const echo = await opened(runEcho());
    const { body } = await result({
      args: { method: "GET", url: `${echo.origin}/` },
      credential,
      config: { origins: ["https://api.example.com"] },
    });
    expect(JSON.parse(body ?? "").headers["x-api-key"]).toBeUndefined();
  });

  test("is not sent in the clear to a host that the operator did not name", async () => {
    const resolver = async () => [{ address: "8.8.8.8", family: 4 }];
    const allow = { methods: ["GET"], schemes: ["http"], hosts: ["api.example.com"], ports: [80], pathPrefixes: ["/"] };
    const config = { origins: ["http://api.example.com"] };
    const outcome = await run({
      args: { method: "GET", url: "http://api.example.com/" },
      credential,
      config,
      allow,
      overrides: { resolver },
    });
    expect(outcome).toMatchObject({ kind: "failed", code: "cleartext_refused" });
  });

  test("is not replaced by a header of the agent's", async () => {
    const echo = await opened(runEcho());
    const outcome = await run({
      args: { method: "GET", url: `${echo.origin}/`, headers: { "x-api-KEY": "mine" } },
      credential,
    });
    expect(outcome).toMatchObject({ kind: "failed", code: "header_reserved" });
  });
});

describe("encryption", () => {
  const tls = makeLocalCertificate();
  const listener = reply(200, { "content-type": "text/plain" }, "ok");

  test("needs a certificate that is trusted and names the host", async () => {
    const server = await opened(runHttps(tls, listener));
    const args = { method: "GET", url: `${server.origin}/` };
    expect(await run({ args })).toMatchObject({ kind: "failed", code: "tls_failed" });
    expect(await run({ args, overrides: { ca: makeLocalCertificate().cert } })).toMatchObject({
      kind: "failed",
      code: "tls_failed",
    });
    expect((await result({ args, overrides: { ca: tls.cert } })).body).toBe("ok");
    const resolver = async () => [{ address: "127.0.0.1", family: 4 }];
    const other = { method: "GET", url: `https://other.example:${server.port}/` };
    const allow = {
      methods: ["GET"],
      schemes: ["https"],
      hosts: ["other.example"],
      ports: [server.port],
      pathPrefixes: ["/"],
    };
    const outcome = await run({
      args: other,
      allow,
      privateHosts: ["other.example"],
      overrides: { ca: tls.cert, resolver },
    });
    expect(outcome).toMatchObject({ kind: "failed", code: "tls_failed" });
  });

  test("is not given up by a redirect", async () => {
    const plain = await opened(runEcho());
    const server = await opened(runHttps(tls, reply(302, { location: `${plain.origin}/` })));
    const outcome = await run({ args: { method: "GET", url: `${server.origin}/` }, overrides: { ca: tls.cert } });
    expect(outcome).toMatchObject({ kind: "failed", code: "redirect_refused" });
  });
});
