import { z } from "zod";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { signInActor } from "@/server/services/identity/authenticate";
import { finishInstall } from "@/server/services/slack/install";
import { finishLink } from "@/server/services/slack/link-by-sign-in";
import { codeSchema, stateSchema } from "@/server/services/slack/round-trip";

const returnedSchema = z.strictObject({ state: stateSchema, code: codeSchema });

/** Always to the same page of ours, whatever the address says. */
const back = (query: Readonly<Record<string, string>>): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location: `${env().PUBLIC_URL}/slack?${new URLSearchParams(query)}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });

async function finish(actor: MemberActor, { state, code }: z.output<typeof returnedSchema>): Promise<Response> {
  if (state.startsWith("install.")) {
    await finishInstall(actor, { state, code });
    return back({ done: "connected" });
  }
  await finishLink(actor, { state, code });
  return back({ done: "linked" });
}

/**
 * GET from Slack with a person: ends what their own sign-in began. The state is good once and for that sign-in alone,
 * so that nobody can be made to finish what another began.
 */
export async function handleSlackCallback(request: Request): Promise<Response> {
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
  try {
    const actor = await signInActor(request.headers.get("cookie"));
    if (actor === null) return back({ problem: "signed_out" });
    const params = new URL(request.url).searchParams;
    if (params.has("error")) return back({ problem: "slack_declined" });
    const returned = returnedSchema.safeParse({ state: params.get("state"), code: params.get("code") });
    return returned.success ? await finish(actor, returned.data) : back({ problem: "slack_state_invalid" });
  } catch (error) {
    if (error instanceof AppError) return back({ problem: error.reason });
    log.error(errorFields(error), "coming back from Slack failed");
    return back({ problem: "internal" });
  }
}
