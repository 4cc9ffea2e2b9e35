import { serve } from "inngest/edge";
import { inngest } from "@/inngest/client";

export type ServedFunctions = Parameters<typeof serve>[0]["functions"];

/**
 * The handler of /api/inngest. It takes signed requests only, also for registering, and must be reachable by Inngest
 * alone: with the local engine there is no need to mount it at all.
 */
export function serveHandler(functions: ServedFunctions): (request: Request) => Promise<Response> {
  return serve({ client: inngest, functions, streaming: false, enableUnauthedSync: false });
}
