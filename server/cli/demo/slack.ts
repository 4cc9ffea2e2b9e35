import type { IncomingMessage, ServerResponse } from "node:http";
import { listenLocally } from "./local-server";
import type { DemoSlackOptions, Params } from "./slack-calls";
import { channelFile, consentPage } from "./slack-pages";
import { DemoSlack } from "./slack-workspace";

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

const CONSENTS = ["/oauth/v2/authorize", "/openid/connect/authorize"];

/** A person is asked, says who they are, and is sent back to the app and nowhere else. */
function consent(slack: DemoSlack, address: URL, form: string, response: ServerResponse): void {
  const userId = new URLSearchParams(form).get("user");
  if (userId === null) {
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      "cache-control": "no-store",
    };
    return void response.writeHead(200, headers).end(consentPage(address, [...slack.users.keys()]));
  }
  const next = slack.oauth.agree(address, userId, { team: slack.team, enterprise: null });
  if (next === null) return void response.writeHead(400).end();
  response.writeHead(302, { location: next }).end();
}

/** What people look at. False where it is a call. */
function showPage(slack: DemoSlack, address: URL, form: string, response: ServerResponse): boolean {
  if (CONSENTS.includes(address.pathname)) {
    consent(slack, address, form, response);
    return true;
  }
  const file = channelFile(address.pathname);
  if (file !== null) response.writeHead(200, file.headers).end(file.content);
  return file !== null;
}

const bearerOf = (request: IncomingMessage) => (request.headers.authorization ?? "").replace(/^Bearer /i, "");

/** The one file of a form. */
async function fileIn(request: IncomingMessage, text: string): Promise<string> {
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const [part = ""] = (await new Response(text, { headers }).formData()).values();
  return typeof part === "string" ? part : part.text();
}

function answerTo(slack: DemoSlack, request: IncomingMessage, text: string) {
  const { pathname, origin, host } = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const params = paramsIn(text, request.headers["content-type"] ?? "");
  const method = pathname.replace(/^\/api\//, "");
  if (method === "apps.connections.open") return { body: slack.sockets.ticket(bearerOf(request), host) };
  if (method === "files.getUploadURLExternal") return slack.uploadAddress(params, bearerOf(request), origin);
  if (method === "openid.connect.token") return slack.signedIn(params, origin);
  return slack.answer(method, params, bearerOf(request));
}

type Send = (body: unknown, status?: number) => void;
type Asked = {
  readonly slack: DemoSlack;
  readonly request: IncomingMessage;
  readonly path: string;
  readonly text: string;
  readonly send: Send;
};

async function click({ slack, request, text, send }: Asked): Promise<void> {
  // A web site can send JSON here only after a question that is never answered.
  if (request.headers["content-type"] !== "application/json") send({ error: "send JSON" }, 415);
  else send(await slack.click(JSON.parse(text)));
}

async function takeUpload({ slack, request, path, text, send }: Asked): Promise<void> {
  const isTaken = slack.upload(path.slice("/upload/".length), await fileIn(request, text));
  send({}, isTaken ? 200 : 404);
}

/** What is no method of Slack's Web API. */
const SPECIAL: readonly { readonly is: (path: string) => boolean; readonly answer: (asked: Asked) => Promise<void> }[] =
  [
    { is: (path) => path === "/_control/messages", answer: async ({ slack, send }) => send(slack.listed()) },
    { is: (path) => path === "/_control/click", answer: click },
    { is: (path) => path.startsWith("/upload/"), answer: takeUpload },
    {
      is: (path) => path === "/openid/connect/keys",
      answer: async ({ slack, send }) => send(await slack.oauth.keys()),
    },
  ];

async function serve(slack: DemoSlack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const path = address.pathname;
  const text = await bodyOf(request);
  if (showPage(slack, address, text, response)) return;
  const send = (body: unknown, status = 200, more: Record<string, string> = {}): void =>
    void response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(body));
  const special = SPECIAL.find(({ is }) => is(path));
  if (special !== undefined) return special.answer({ slack, request, path, text, send });
  const answer = await answerTo(slack, request, text);
  if (answer === "lost") return void response.destroy();
  send(answer.body, answer.status, {
    ...(answer.retryAfter ? { "retry-after": String(answer.retryAfter) } : {}),
    ...(answer.scopes ? { "x-oauth-scopes": answer.scopes.join(",") } : {}),
  });
}

export type RunningSlack = { readonly slack: DemoSlack; readonly origin: string; readonly close: () => Promise<void> };

/** Starts it on loopback alone. Throws when the port is taken. */
export async function startSlack(options: DemoSlackOptions): Promise<RunningSlack> {
  const slack = new DemoSlack(options);
  const server = await listenLocally(options.port, (request, response) => {
    serve(slack, request, response).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket) => slack.sockets.accept(request, socket));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  const close = () =>
    new Promise<void>((resolve) => {
      slack.sockets.drop();
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { slack, origin: `http://127.0.0.1:${port}`, close };
}
