import type { IncomingMessage, ServerResponse } from "node:http";
import { listenLocally } from "./local-server";
import { DemoSlack, type DemoSlackOptions, type Params } from "./slack-workspace";

const MAX_BODY_BYTES = 1_048_576;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const STRUCTURED = ["blocks", "view", "metadata"];

function paramsIn(text: string, type: string): Params {
  if (type.includes("json")) return JSON.parse(text || "{}") as Params;
  const fields = [...new URLSearchParams(text)].map(([name, value]): [string, unknown] => [
    name,
    STRUCTURED.includes(name) ? JSON.parse(value) : value,
  ]);
  return Object.fromEntries(fields);
}

async function serve(slack: DemoSlack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const text = await bodyOf(request);
  const send = (body: unknown, status = 200, more: Record<string, string> = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(body));
  if (path === "/_control/messages") return void send(slack.listed());
  if (path === "/_control/click") {
    // A web site can send JSON here only after a question that is never answered.
    if (request.headers["content-type"] !== "application/json") return void send({ error: "send JSON" }, 415);
    return void send(await slack.click(JSON.parse(text)));
  }
  const answer = slack.answer(path.replace(/^\/api\//, ""), paramsIn(text, request.headers["content-type"] ?? ""));
  if (answer === "lost") return void response.destroy();
  send(answer.body, answer.status, answer.retryAfter ? { "retry-after": String(answer.retryAfter) } : {});
}

export type RunningSlack = { readonly slack: DemoSlack; readonly origin: string; readonly close: () => Promise<void> };

/** Starts it on loopback alone. Throws when the port is taken. */
export async function startSlack(options: DemoSlackOptions): Promise<RunningSlack> {
  const slack = new DemoSlack(options);
  const server = await listenLocally(options.port, (request, response) => {
    serve(slack, request, response).catch(() => response.destroy());
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { slack, origin: `http://127.0.0.1:${port}`, close };
}
