import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf, trustedProxies } from "@/server/http/client-address";
import { frontListener } from "@/server/http/front";
import { failureResponse } from "@/server/http/problem";

const closing = new AbortController();
let server: Server;
let port: number;
let released = 0;

const handler = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/wait")) {
    await new Promise<void>((resolve) => {
      if (request.signal.aborted) resolve();
      request.signal.addEventListener("abort", () => resolve());
    });
    released += 1;
    return new Response(null, { status: 204 });
  }
  if (pathname.endsWith("/stream")) {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: first\n\n")),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
  if (pathname.endsWith("/throw")) throw new Error("bug");
  const body = await request.text();
  return Response.json({ url: request.url, size: body.length, address: addressOf(request.headers) });
};

beforeAll(async () => {
  const listener = frontListener({
    publicUrl: "http://localhost:3000",
    isLoopbackOnly: true,
    trusted: trustedProxies(["127.0.0.1"]),
    mounts: [{ prefix: "/api/v1", handler }],
    pages: async (incoming, outgoing) => void outgoing.end(`page ${incoming.url}`),
    closing: closing.signal,
    onFailure: (error) => failureResponse(error, { requestId: "r" }),
  });
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const call = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);

describe("the front server", () => {
  it("gives handlers our own origin, whatever Host or the path claims", async () => {
    expect((await (await call("/api/v1/x?y=1")).json()).url).toBe("http://localhost:3000/api/v1/x?y=1");
    const double = await call("//evil.example/api/v1/x");
    expect(double.status).toBe(400);
  });

  it("hands on the address that a trusted proxy saw, not one that the caller stamped", async () => {
    const headers = { "x-forwarded-for": "198.51.100.7", "x-countersign-client": "x 1.1.1.1" };
    expect((await (await call("/api/v1/x", { headers })).json()).address).toBe("198.51.100.7");
  });

  it("takes a body of a mebibyte and refuses one byte more, announced or not", async () => {
    const fits = await call("/api/v1/x", { method: "POST", body: "x".repeat(1_048_576) });
    expect((await fits.json()).size).toBe(1_048_576);
    const body = "x".repeat(1_048_577);
    const announced = await call("/api/v1/x", { method: "POST", body });
    expect(announced.status).toBe(413);
    expect((await announced.json()).code).toBe("body_too_large");
    const stream = new Blob([body]).stream();
    const unannounced = await call("/api/v1/x", { method: "POST", body: stream, duplex: "half" } as RequestInit);
    expect(unannounced.status).toBe(413);
    expect((await call("/page", { method: "POST", body })).status).toBe(413);
  });

  it("answers a bug with a problem that tells nothing of it", async () => {
    const response = await call("/api/v1/throw");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("bug");
  });

  it("refuses names that are not local in demo mode", async () => {
    const status = await new Promise((resolve) => {
      httpRequest({ port, host: "127.0.0.1", path: "/api/v1/x", headers: { host: "evil.example" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(400);
  });

  it("refuses an absolute request target", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET http://evil.example/api/v1/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("sends every answer with the security headers", async () => {
    for (const path of ["/api/v1/x", "/page"]) {
      const { headers } = await call(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("same-origin");
    }
    expect((await call("/api/v1/x")).headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("passes event streams on as they come, and lets go of a caller that left", async () => {
    const leaving = new AbortController();
    const stream = await call("/api/v1/stream", { signal: leaving.signal });
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: first\n\n");
    const waiting = call("/api/v1/wait", { signal: leaving.signal }).catch(() => "left");
    leaving.abort();
    expect(await waiting).toBe("left");
  });

  it("lets go of those who wait when the process goes down", async () => {
    const waiting = call("/api/v1/wait");
    const before = released;
    await new Promise<void>((resolve) => server.once("request", () => resolve()));
    closing.abort();
    expect((await waiting).status).toBe(204);
    expect(released).toBeGreaterThan(before);
  });
});
