import type { Submission } from "@/server/services/requests/submission";

/** What the log says of any call: names and classes, no arguments. */
export function callFields({ call, facts, compensates }: Pick<Submission, "call" | "facts" | "compensates">) {
  return {
    ...(compensates === undefined ? {} : { compensates }),
    action: call.action.name,
    ...(facts.connection === null ? {} : { connection: facts.connection.id }),
    effect: call.classification.effect,
    risk: call.classification.risk,
  };
}

/** The grant a call runs under and what it costs, for the log. */
export function grantFields(grant: { readonly id: string; readonly version: number } | null) {
  return grant === null ? {} : { grant: grant.id, grantVersion: grant.version };
}

export function priceFields({ call }: Pick<Submission, "call">) {
  const { price } = call.action;
  return price === null ? {} : { priceMicros: price.micros.toString(), currency: price.currency };
}
