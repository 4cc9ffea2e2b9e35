import { z } from "zod";
import type { Engine } from "@/inngest/local/engine-context";
import { EventRefused, receiveEvents } from "@/inngest/local/events";
import { LIMITS } from "@/inngest/local/limits";
import { sentEventSchema } from "@/inngest/local/model";
import { noteRefusal } from "@/inngest/local/sdk/call";
import { storeCheckpoint } from "@/inngest/local/sdk/checkpoint";
import { errorFields, log } from "@/server/log";

const eventsSchema = z.union([
  z.array(sentEventSchema).min(1).max(LIMITS.eventsPerRequest),
  sentEventSchema.transform((one) => [one]),
]);

const problem = (status: number, error: string): Response => Response.json({ ids: [], status, error }, { status });

function bodyOf(init: RequestInit | undefined): unknown {
  const body = init?.body;
  if (typeof body !== "string") throw new EventRefused(400, "a JSON body was expected");
  if (body.length > LIMITS.requestBytes) throw new EventRefused(413, "the request is too large");
  return JSON.parse(body);
}

async function takeEvents(engine: Engine, init: RequestInit | undefined): Promise<Response> {
  const events = eventsSchema.parse(bodyOf(init));
  const seed = new Headers(init?.headers).get("x-inngest-event-id-seed");
  const ids = await engine.database.transaction((tx) => receiveEvents(tx, events, seed));
  engine.wake();
  return Response.json({ ids, status: 200 });
}

async function takeCheckpoint(engine: Engine, init: RequestInit | undefined): Promise<Response> {
  const isStored = await storeCheckpoint(engine, bodyOf(init));
  return Response.json({}, { status: isStored ? 200 : 409 });
}

const CHECKPOINT = /^\/v1\/checkpoint\/[^/]+\/async$/;

/** What an API path is for, in words that name the feature. */
function featureOf(path: string): string {
  if (path.startsWith("/v1/realtime/")) return "realtime (publish, subscribe and streaming)";
  if (path.startsWith("/v1/signals")) return "sendSignal";
  return `the API call ${path.slice(0, 100)}`;
}

async function route(engine: Engine, path: string, init: RequestInit | undefined): Promise<Response> {
  if (path.startsWith("/e/")) return takeEvents(engine, init);
  if (CHECKPOINT.test(path)) return takeCheckpoint(engine, init);
  noteRefusal(featureOf(path));
  return problem(501, `${featureOf(path)} is not supported by the local engine`);
}

function refusal(error: unknown): Response {
  if (error instanceof EventRefused) return problem(error.status, error.message);
  if (error instanceof z.ZodError || error instanceof SyntaxError) return problem(400, "malformed request");
  log.error(errorFields(error), "the local Inngest engine could not take a request");
  return problem(503, "the local engine is unavailable");
}

/**
 * What the SDK's client gets as `fetch`: events and checkpoints go into the engine, whatever their origin, and
 * everything else is refused. Nothing leaves the process.
 */
export function engineFetch(engine: Engine): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    try {
      return await route(engine, pathname, init);
    } catch (error) {
      return refusal(error);
    }
  };
}
