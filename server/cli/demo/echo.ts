import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { listenLocally } from "./local-server";

const MAX_BODY_BYTES = 1_048_576;

/** The body as text, or null where it is longer than the limit. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  if (body === null) {
    response.writeHead(413, { connection: "close" }).end();
    return;
  }
  const { method, url, headers } = request;
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify({ method, path: url, headers, body }));
}

/** The demo's echo service: answers any call with its method, path, headers and body, on loopback alone. */
export async function startEcho(port: number): Promise<Server> {
  return listenLocally(port, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
}
