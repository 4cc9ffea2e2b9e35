import { functions } from "@/inngest/functions";
import { serveHandler } from "@/inngest/serve";
import { env } from "@/server/env";

export const dynamic = "force-dynamic";

/** For Inngest itself, which signs its calls. The local engine calls in the process and leaves no door open. */
async function handle(request: Request): Promise<Response> {
  if (env().INNGEST_ENGINE === "local") return new Response(null, { status: 404 });
  return serveHandler(functions)(request);
}

export { handle as GET, handle as POST, handle as PUT };
