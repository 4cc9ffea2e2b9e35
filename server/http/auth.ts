import type { NextApiRequest, NextApiResponse } from "next";
import nextAuthModule from "next-auth";
import { AppError } from "@/server/domain/errors";
import { isJsonObject } from "@/server/domain/json";
import { parseStrictJson } from "@/server/domain/strict-json";
import { tellNextAuth } from "@/server/env";
import { type Attempt, authCookieNames, authOptions } from "@/server/http/auth-options";
import { newRequestId } from "@/server/http/caller";
import { addressOf } from "@/server/http/client-address";
import { failureResponse } from "@/server/http/problem";
import { bodyBytes } from "@/server/http/request-body";
import { requireSameOrigin } from "@/server/http/same-origin";

// A CommonJS module: bundlers hand over its default, Node hands over the module.
const nextAuth =
  typeof nextAuthModule === "function"
    ? nextAuthModule
    : (nextAuthModule as { default: typeof nextAuthModule }).default;

const PREFIX = "/api/auth/";
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  GET: ["csrf", "providers", "session"],
  POST: ["callback/credentials", "signout"],
};

/** Answers next-auth's paths under /api/auth that we use, and no other. Never rejects. */
export async function handleAuth(request: Request): Promise<Response> {
  const requestId = newRequestId();
  try {
    const action = new URL(request.url).pathname.slice(PREFIX.length);
    if (!ACTIONS[request.method]?.includes(action)) throw new AppError("not_found", "There is no such path.");
    requireSameOrigin(request);
    return await serve(request, action);
  } catch (error) {
    return failureResponse(error, { requestId });
  }
}

async function serve(request: Request, action: string): Promise<Response> {
  tellNextAuth();
  const attempt: Attempt = {
    origin: { address: addressOf(request.headers), userAgent: request.headers.get("user-agent") ?? "" },
    failure: null,
  };
  const { outgoing, response } = collector();
  const incoming = {
    method: request.method,
    query: { nextauth: action.split("/") },
    headers: Object.fromEntries(request.headers),
    cookies: cookiesOf(request.headers.get("cookie") ?? ""),
    body: request.method === "POST" ? await fieldsOf(request) : {},
  };
  await nextAuth(incoming as unknown as NextApiRequest, outgoing as unknown as NextApiResponse, authOptions(attempt));
  // next-auth would turn every failure into a redirect with a status of its own.
  if (attempt.failure !== null) throw attempt.failure;
  return response();
}

const MAX_FIELDS = 20;

async function fieldsOf(request: Request): Promise<Record<string, unknown>> {
  const bytes = await bodyBytes(request);
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries([...new URLSearchParams(Buffer.from(bytes).toString("utf8"))].slice(0, MAX_FIELDS));
  }
  if (!type.startsWith("application/json")) {
    throw new AppError("invalid", "Send a form or JSON.", { reason: "not_json" });
  }
  const value = parseStrictJson(bytes);
  return isJsonObject(value) ? value : {};
}

function cookiesOf(header: string): Record<string, string> {
  const pairs = header.split(";").map((pair) => pair.trim().split(/=(.*)/s, 2) as [string, string?]);
  const known = authCookieNames();
  return Object.fromEntries(pairs.flatMap(([name, value = ""]) => (known.has(name) ? [[name, decoded(value)]] : [])));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** What next-auth writes to, and the response that comes of it. */
function collector() {
  const headers = new Headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  let status = 200;
  let body: string | null = null;
  let cookies: readonly string[] = [];
  const outgoing = {
    status(code: number) {
      status = code;
      return outgoing;
    },
    getHeader: (name: string) => (name.toLowerCase() === "set-cookie" ? [...cookies] : headers.get(name)),
    setHeader(name: string, value: string | readonly string[]) {
      if (name.toLowerCase() === "set-cookie") cookies = typeof value === "string" ? [value] : value;
      else headers.set(name, String(value));
      return outgoing;
    },
    json(value: unknown) {
      headers.set("content-type", "application/json");
      body = JSON.stringify(value);
    },
    send(value: unknown) {
      if (typeof value === "object") outgoing.json(value);
      else body = typeof value === "string" ? value : null;
    },
    end() {},
  };
  const response = () => {
    for (const cookie of cookies) headers.append("set-cookie", cookie);
    return new Response(body, { status, headers });
  };
  return { outgoing, response };
}
