import type { Download } from "@/server/domain/download";
import { AppError } from "@/server/domain/errors";
import { toWire } from "@/server/domain/wire";
import { callInput } from "@/server/http/call-input";
import { contextOf, newRequestId } from "@/server/http/caller";
import { downloadResponse } from "@/server/http/download";
import { openApiDocument } from "@/server/http/openapi";
import { failureResponse, problemResponse } from "@/server/http/problem";
import { findRoute, type Route } from "@/server/http/routes";

const PREFIX = "/api/v1";

/** Answers every path under /api/v1. Never rejects. */
export async function handleV1(request: Request): Promise<Response> {
  const requestId = newRequestId();
  let response: Response;
  try {
    response = await serve(request, requestId);
  } catch (error) {
    response = failureResponse(error, { requestId });
  }
  response.headers.set("x-request-id", requestId);
  return request.method === "HEAD" ? new Response(null, response) : response;
}

async function serve(request: Request, requestId: string): Promise<Response> {
  const path = new URL(request.url).pathname.slice(PREFIX.length);
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (path === "/openapi.json") {
    return method === "GET" ? json(openApiDocument(), 200) : wrongMethod(["GET"], requestId);
  }
  const found = findRoute(path);
  if (found === null) throw new AppError("not_found", "There is no such path.");
  const route = found.methods.get(method as Route["http"]["method"]);
  if (route === undefined) return wrongMethod([...found.methods.keys()], requestId);
  return call(request, route, found.params, requestId);
}

async function call(
  request: Request,
  route: Route,
  params: Readonly<Record<string, string>>,
  requestId: string,
): Promise<Response> {
  const { actor } = await contextOf(request, requestId);
  if (actor === null) throw new AppError("unauthenticated", "Present a credential.");
  const input = await callInput(request, route, params);
  const output = await route.command(actor, input as never);
  if (route.http.isDownload) return downloadResponse(output as Download, request.method === "HEAD");
  const answer = toWire(output);
  return json(answer, route.http.status?.(answer as never) ?? route.http.successStatuses?.[0] ?? 200);
}

function json(value: unknown, status: number): Response {
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(JSON.stringify(value), { status, headers });
}

function wrongMethod(allowed: readonly string[], requestId: string): Response {
  const allow = allowed.includes("GET") ? [...allowed, "HEAD"] : allowed;
  const error = new AppError("invalid", `This path answers to ${allow.join(", ")}.`, { reason: "method_not_allowed" });
  const response = problemResponse(error, { requestId });
  response.headers.set("allow", allow.join(", "));
  return response;
}
