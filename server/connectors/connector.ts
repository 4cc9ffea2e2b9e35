import type { z } from "zod";
import type { Trusts } from "@/server/domain/action";
import type { CredentialKind, StoredCredential } from "@/server/domain/credential";
import type { Outcome } from "@/server/domain/outcome";
import type { Redactor } from "@/server/vault/redactor";

/** One call as a connector gets it: the arguments parsed and allowed, the credential opened. */
export type ConnectorCall = {
  readonly action: string;
  readonly args: unknown;
  readonly config: unknown;
  readonly credential: StoredCredential | null;
  readonly requestId: string;
  readonly allow: unknown;
  /** Whether the organization trusts a destination; a redirect to another host needs it. */
  readonly trusts: Trusts;
  readonly signal: AbortSignal;
  /** `host` or `host:port` that the operator lets have private addresses. */
  readonly privateHosts: readonly string[];
  /** Knows the credential in use. */
  readonly redactor: Redactor;
};

/** A kind of outside system: what its connections are configured with, and how its actions are performed. */
export type Provider = {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly config: z.ZodType;
  readonly credentialKinds: readonly CredentialKind[];
  /** What people recognise the connection by, from valid settings. */
  readonly account: (config: unknown) => string;
  readonly perform: (call: ConnectorCall) => Promise<Outcome>;
};
