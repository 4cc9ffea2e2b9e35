import { randomUUID } from "node:crypto";
import { addressOf } from "@/server/http/client-address";
import { requireSameOrigin } from "@/server/http/same-origin";
import { authenticate } from "@/server/services/identity/authenticate";
import type { Context } from "@/server/trpc/context";

export const newRequestId = (): string => randomUUID();

/** Who calls and from where. Throws AppError for a credential that does not hold, and for another site's call. */
export async function contextOf(request: Request, requestId: string): Promise<Context> {
  requireSameOrigin(request);
  const actor = await authenticate({
    authorization: request.headers.get("authorization"),
    cookie: request.headers.get("cookie"),
  });
  return { actor, requestId, address: addressOf(request.headers) };
}
