import type { Backoff } from "@/inngest/local/backoff";
import type { LocalFunction } from "@/inngest/local/registration/check";
import type { CallSdk } from "@/inngest/local/sdk/call";
import type { Database, Tx } from "@/inngest/local/store/database";

/** What every part of the engine needs. */
export type Engine = {
  readonly database: Database;
  readonly functions: () => ReadonlyMap<string, LocalFunction>;
  readonly call: CallSdk;
  readonly backoff: Backoff;
  readonly isCheckpointing: boolean;
  readonly leaseMs: number;
  /** Says that something became due. */
  readonly wake: () => void;
};

/** The engine inside one transaction. */
export type Scope = { readonly engine: Engine; readonly tx: Tx };
