import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { HttpOverrides } from "@/server/connectors/http/perform";
import { MAX_RESPONSE_BYTES } from "@/server/connectors/http/read-body";
import { closeAll, opened, type Running, runHttp, runTcp } from "@/test/support/echo";
import { credential, reply, result, run } from "@/test/support/http-call";

afterEach(closeAll);

describe("an answer", () => {
  const get = async (listener: RequestListener) => {
    const server = await opened(runHttp(listener));
    return run({ args: { method: "GET", url: `${server.origin}/` } });
  };
  const text = { "content-type": "text/plain" };

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("in %s is read", async (encoding, compress) => {
    const outcome = await get(reply(200, { ...text, "content-encoding": encoding }, compress("hello")));
    expect(outcome).toMatchObject({ kind: "succeeded", result: { body: "hello" } });
  });

  test("is cut at the limit and says so", async () => {
    const outcome = await get(reply(200, text, "x".repeat(MAX_RESPONSE_BYTES + 10)));
    expect(outcome).toMatchObject({ kind: "succeeded", result: { truncated: true } });
    const exact = await get(reply(200, text, "x".repeat(MAX_RESPONSE_BYTES)));
    expect(exact.kind === "succeeded" && "truncated" in (exact.result as object)).toBe(false);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ] as const)("that grows without end in %s is cut at the limit", async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(20_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    const outcome = await get(reply(200, { ...text, "content-encoding": encoding }, bomb));
    expect(outcome).toMatchObject({ kind: "succeeded", result: { truncated: true } });
  });

  test("that is broken in its coding is not taken for whole", async () => {
    const broken = gzipSync("hello hello hello").subarray(0, 20);
    const garbage = Buffer.from("this is not gzip at all");
    for (const body of [broken, garbage]) {
      expect(await get(reply(200, { ...text, "content-encoding": "gzip" }, body))).toMatchObject({
        kind: "failed",
        code: "response_malformed",
      });
    }
  });

  test("of a type that is not text comes as size and hash", async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    for (const type of ["application/octet-stream", "image/png", "", "text/html/x", "application/json5"]) {
      const outcome = await get(reply(200, type === "" ? {} : { "content-type": type }, bytes));
      expect(outcome).toMatchObject({ kind: "succeeded", result: { body: null, omitted: { bytes: 4, sha256 } } });
    }
  });

  test("in another character set is read in it, an unknown one as UTF-8", async () => {
    const latin = await get(reply(200, { "content-type": "text/plain; charset=ISO-8859-1" }, Buffer.from([0xe9])));
    expect(latin).toMatchObject({ result: { body: "é" } });
    expect(await get(reply(200, { "content-type": "text/plain; charset=klingon" }, "é"))).toMatchObject({
      result: { body: "é" },
    });
  });

  test("does not show the first half of a secret at the cut", async () => {
    const server = await opened(
      runHttp((request, response) => {
        const key = String(request.headers["x-api-key"]);
        response.writeHead(200, text).end("x".repeat(MAX_RESPONSE_BYTES - 12) + key);
      }),
    );
    const { body } = await result({ args: { method: "GET", url: `${server.origin}/` }, credential });
    expect(body).toMatch(/^x+$/);
  });
});

describe("an answer that does not come", () => {
  const outcomes = async (server: Running, overrides: HttpOverrides = { totalMs: 400 }) => {
    const of = (method: string) => run({ args: { method, url: `${server.origin}/` }, overrides });
    return { read: await of("GET"), write: await of("POST") };
  };

  test.each([
    [
      "the server closes without a word",
      (socket: Socket) => socket.once("data", () => socket.end()),
      "connection_lost",
    ],
    ["the server resets", (socket: Socket) => socket.once("data", () => socket.resetAndDestroy()), "connection_lost"],
    ["the server says nothing", () => undefined, "timeout"],
    [
      "the body stops half-way",
      (socket: Socket) =>
        socket.once("data", () =>
          socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf"),
        ),
      "connection_lost",
    ],
    [
      "the body never ends",
      (socket: Socket) => {
        socket.once("data", () =>
          socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n"),
        );
        const timer = setInterval(() => socket.write("x"), 50);
        socket.on("close", () => clearInterval(timer));
      },
      "timeout",
    ],
    [
      "the answer is not HTTP",
      (socket: Socket) => socket.once("data", () => socket.end("220 smtp ready\r\n")),
      "response_malformed",
    ],
  ] as const)("when %s, a read failed and a write is not known", async (_name, onSocket, code) => {
    const server = await opened(runTcp(onSocket));
    const { read, write } = await outcomes(server);
    expect(read).toMatchObject({ kind: "failed", code });
    expect(write).toMatchObject({ kind: "outcome_unknown", code });
  });

  test("since nobody listens, a write failed as well", async () => {
    const server = await runTcp(() => undefined);
    await server.close();
    const call = { args: { method: "POST", url: `${server.origin}/` }, servers: [server] };
    expect(await run(call)).toMatchObject({ kind: "failed", code: "connect_failed" });
  });

  test("since the call was stopped, is said to be so", async () => {
    const server = await opened(runTcp(() => undefined));
    const stop = new AbortController();
    const running = run({ args: { method: "POST", url: `${server.origin}/` }, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await running).toMatchObject({ kind: "outcome_unknown", code: "aborted" });
    const before = run({ args: { method: "POST", url: `${server.origin}/` }, signal: AbortSignal.abort() });
    expect(await before).toMatchObject({ kind: "failed", code: "aborted" });
  });
});
