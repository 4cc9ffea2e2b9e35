import type { Checkpoint } from "@/server/services/audit/chain/checkpoint";

/** An event as it is stored; the columns beside the canonical bytes are copies to search by. */
export type StoredEvent = {
  readonly type: string;
  readonly requestId: string | null;
  readonly actorId: string | null;
  readonly agentId: string | null;
  readonly canonical: Buffer;
  readonly leaf: Buffer;
};

export type StoredPersonal = { readonly field: string; readonly salt: Buffer; readonly value: string };

/** One seal with the event it points to, if that is still there, and what is left of the event's personal values. */
export type SealedRow = {
  readonly index: number;
  readonly eventId: string;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly event: StoredEvent | null;
  readonly personal: readonly StoredPersonal[];
};

/** An organization's stored chain, as verification reads it: in pieces, and with questions only where something is wrong. */
export type ChainSource = {
  readonly orgId: string;
  /** One more than the highest index, and the latest checkpoint, of one moment. */
  ends(): Promise<{ readonly size: number; readonly checkpoint: Checkpoint | null }>;
  /** What is left of the links from `from` up to, not including, `end`, ascending. */
  rows(from: number, end: number): Promise<readonly SealedRow[]>;
  /** Checkpoints of sizes above `after` up to `upTo`, ascending. */
  checkpoints(after: number, upTo: number): Promise<readonly Checkpoint[]>;
  /** An event that is neither sealed nor waiting to be, if there is one. */
  stray(): Promise<string | null>;
  /** Whether a seal above `index` follows `hash`. */
  hasSuccessor(hash: Buffer, index: number): Promise<boolean>;
  isSealed(eventId: string): Promise<boolean>;
  /** Every event's leaf, in pieces. */
  leaves(): AsyncIterable<readonly { readonly id: string; readonly leaf: Buffer }[]>;
};
