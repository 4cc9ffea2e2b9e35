import type { z } from "zod";
import type { Actor } from "@/server/domain/actor";
import { AUDIT_TYPES, type AuditType } from "@/server/domain/audit-types";

export { AUDIT_TYPES, type AuditType };

/** What names or locates a person. It enters the chain as a salted commitment, so that it can be erased later. */
export type PersonalField = "name" | "email" | "address" | "user_agent";

export type AuditActor = Actor | { readonly kind: "anonymous" };

type EntryOf<T extends AuditType> = {
  readonly type: T;
  readonly actor: AuditActor;
  /** The database's time: `tx.now`, or `now` of the loaded facts. */
  readonly at: Date;
  readonly fields: z.input<(typeof AUDIT_TYPES)[T]>;
  readonly requestId?: string | undefined;
  /** Taken from the actor where the actor is an agent. */
  readonly agentId?: string | undefined;
  /** The member for whom it happens. Taken from the actor otherwise: the member, or the agent's owner. */
  readonly personId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The id of the stored credential that is used for it. What the actor presented is recorded with the actor. */
  readonly credential?: string | undefined;
  /** The members whose approval lets it happen. */
  readonly approvers?: readonly string[] | undefined;
  readonly personal?: Partial<Record<PersonalField, string>> | undefined;
};

/** One thing that happened, as its writer tells it. */
export type AuditEntry = { [T in AuditType]: EntryOf<T> }[AuditType];

export const isAuditType = (text: string): text is AuditType => Object.hasOwn(AUDIT_TYPES, text);

/** What verification can find wrong, by what was done to the log. */
export const AUDIT_FAULTS = ["changed", "removed", "reordered", "inserted", "truncated"] as const;
export type AuditFault = (typeof AUDIT_FAULTS)[number];
