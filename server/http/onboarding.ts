import { AppError } from "@/server/domain/errors";
import { newRequestId } from "@/server/http/caller";
import { addressOf } from "@/server/http/client-address";
import { failureResponse } from "@/server/http/problem";
import { jsonBody } from "@/server/http/request-body";
import { requireSameOrigin } from "@/server/http/same-origin";
import { acceptInvitation, type InvitationInput } from "@/server/services/identity/accept-invitation";
import { completeSetup, type SetupInput } from "@/server/services/identity/first-owner";

type From = { readonly address: string };

/** What somebody without a credential may do with a one-time link. Never rejects. */
async function answer(request: Request, work: (body: unknown, from: From) => Promise<unknown>): Promise<Response> {
  const requestId = newRequestId();
  try {
    requireSameOrigin(request);
    const { value } = await jsonBody(request);
    if (value === undefined) throw new AppError("invalid", "Send a JSON object.", { reason: "not_json" });
    const done = await work(value, { address: addressOf(request.headers) });
    return Response.json(done, { headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } });
  } catch (error) {
    return failureResponse(error, { requestId });
  }
}

/** POST {token, organizationName, name, email, password}: makes the first owner. */
export const handleSetup = (request: Request): Promise<Response> =>
  answer(request, (body, from) => completeSetup(body as SetupInput, from));

/** POST {token, password}: sets the password of whoever was invited. */
export const handleInvitation = (request: Request): Promise<Response> =>
  answer(request, (body, from) => acceptInvitation(body as InvitationInput, from));
