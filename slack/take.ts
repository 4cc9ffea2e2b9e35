import type { App } from "@slack/bolt";
import { errorFields, log } from "@/server/log";
import { type Installation, takeCall } from "@/server/services/slack/take-call";
import { installationsOf, type Payload } from "@/slack/payload";

/** Slack gives up after three seconds; an answer of ours says so before. */
const ANSWER_MS = 2_800;

/** Keeps what goes on after the answer alive, where a process would end with it. */
export type KeepAlive = (work: Promise<unknown>) => void;

/** What Slack is told of a call, however it came. Only 200 takes it. */
export type Answer =
  | { readonly status: 200; readonly body?: string | object }
  | { readonly status: 403 | 404 | 500 | 503 };

/** A call that is Slack's for certain. The hash is the same whenever the same call comes again. */
export type Call = { readonly payload: Payload; readonly hash: Buffer };

/** Takes a call once, whichever replica it comes to, and has the listeners work on it. The answer waits for their `ack`. */
export async function take(app: App | undefined, { payload, hash }: Call, keepAlive: KeepAlive): Promise<Answer> {
  const taken = await takeCall(installationsOf(payload), hash);
  if (taken.kind === "taken") return process(app, payload, taken, keepAlive);
  // A second delivery is no mistake of Slack's: it gets the answer that ends it.
  if (taken.kind === "seen") return { status: 200 };
  log.warn({ installations: installationsOf(payload) }, "Slack called for a workspace that nobody connected");
  return { status: 403 };
}

function process(
  app: App | undefined,
  payload: Payload,
  { orgId, teamId }: Installation,
  keepAlive: KeepAlive,
): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ status: 503 }), ANSWER_MS);
    const answer = (value: Answer) => {
      clearTimeout(timer);
      resolve(value);
    };
    const ack = async (value?: unknown) => {
      const isEmpty = value === undefined || value === "";
      answer(isEmpty ? { status: 200 } : { status: 200, body: typeof value === "string" ? value : (value as object) });
    };
    const work = app?.processEvent({ body: payload, ack, customProperties: { orgId, installation: teamId } });
    const done = Promise.resolve(work).then(
      () => answer({ status: 404 }),
      (error: unknown) => {
        log.error(errorFields(error), "a call of Slack's failed");
        answer({ status: 500 });
      },
    );
    keepAlive(done);
  });
}
