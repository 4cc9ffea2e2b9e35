import type { Actor } from "@/server/domain/actor";

/** What a procedure knows of the call besides its input. */
export type Context = {
  /** As read from the database for this call; null where no credential was presented. */
  readonly actor: Actor | null;
  readonly requestId: string;
  /** The caller's address, for limits. */
  readonly address: string;
};
