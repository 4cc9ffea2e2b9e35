import type { AgentActor } from "@/server/domain/actor";
import type { Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import type { Answer } from "@/server/services/requests/answer";

/** One call on its way to a row. */
export type Submission = {
  readonly actor: AgentActor;
  readonly facts: Facts;
  readonly call: ToolCall;
  readonly idempotency: { readonly key: string; readonly hash: string } | null;
};

/** `again`: what was decided no longer held at the write and nothing was written, so it must be decided anew. */
export type Recorded = { readonly kind: "recorded"; readonly answer: Answer } | { readonly kind: "again" };
export const AGAIN: Recorded = { kind: "again" };
