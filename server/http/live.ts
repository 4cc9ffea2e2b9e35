import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { newRequestId } from "@/server/http/caller";
import { failureResponse } from "@/server/http/problem";
import { signInActor } from "@/server/services/identity/authenticate";
import { follow } from "@/server/services/live/follow";

/** A comment line this often keeps proxies from closing a quiet stream; the sign-in is looked at again as often. */
const BEAT_MS = 15_000;

/**
 * Server-sent events for a signed-in person: ids of what changed in the organization, never content. The page reads
 * again what it shows. Ends when the sign-in does.
 */
export async function handleLive(request: Request): Promise<Response> {
  try {
    if (request.method !== "GET")
      throw new AppError("invalid", "Live updates are read with GET.", { reason: "method_not_allowed" });
    const cookie = request.headers.get("cookie");
    const actor = await signInActor(cookie);
    if (actor === null) throw new AppError("unauthenticated", "Sign in to see live updates.");
    return new Response(stream(request, actor, cookie), {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      },
    });
  } catch (error) {
    return failureResponse(error, { requestId: newRequestId() });
  }
}

function stream(request: Request, actor: MemberActor, cookie: string | null): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const stop = follow(actor, (change) => send(`data: ${JSON.stringify(change)}\n\n`));
      const beat = setInterval(() => {
        send(": beat\n\n");
        signInActor(cookie).then((still) => still ?? close(), close);
      }, BEAT_MS);
      end = () => {
        stop();
        clearInterval(beat);
        request.signal.removeEventListener("abort", close);
      };
      const close = () => {
        end();
        try {
          controller.close();
        } catch {
          // The reader went first.
        }
      };
      request.signal.addEventListener("abort", close);
      send("retry: 2000\n\n");
    },
    cancel: () => end(),
  });
}
