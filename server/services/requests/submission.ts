import type { AgentActor, MemberActor } from "@/server/domain/actor";
import type { Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import type { Answer } from "@/server/services/requests/answer";

/** A proposal, and the person who takes it up. */
export type TakenUp = { readonly proposalId: string; readonly by: MemberActor };

/** One call on its way to a row. */
export type Submission = {
  readonly actor: AgentActor;
  readonly facts: Facts;
  readonly call: ToolCall;
  readonly idempotency: { readonly key: string; readonly hash: string } | null;
  /** Where it comes of a proposal: the agent's call, asked by a person. */
  readonly takenUp?: TakenUp;
  /** The earlier request that this one makes good for. */
  readonly compensates?: string | undefined;
};

/** `again`: what was decided no longer held at the write and nothing was written, so it must be decided anew. */
export type Recorded = { readonly kind: "recorded"; readonly answer: Answer } | { readonly kind: "again" };
export const AGAIN: Recorded = { kind: "again" };
