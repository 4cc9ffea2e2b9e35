import { randomUUID } from "node:crypto";
import { z } from "zod";
import { hot } from "@/server/db/hot";
import { newId } from "@/server/db/new-id";
import type { Facts, GrantFact } from "@/server/domain/facts";
import { CLAIM_LEASE_S, type ToolCall } from "@/server/domain/tool-request";
import { budgetsFor } from "@/server/gateway/checks/reservation";

/** The sealed credential as the claim found it, under the organization's control lock. */
export type SealedCredential = {
  readonly id: string;
  readonly version: number;
  readonly kind: string;
  readonly sealed: Buffer;
};

export type Claimed = { readonly token: string; readonly credential: SealedCredential | null };

/** What became of a claim that did not take: decide again, a limit is reached, or someone else has the row. */
export type ClaimResult =
  | { readonly kind: "claimed"; readonly claimed: Claimed }
  | { readonly kind: "stale" }
  | { readonly kind: "usage_limit"; readonly retryAfterS: number }
  | { readonly kind: "budget_spent" }
  | { readonly kind: "row_taken" }
  | { readonly kind: "duplicate" };

export type ClaimInput = {
  readonly orgId: string;
  readonly requestId: string;
  readonly facts: Facts;
  readonly call: ToolCall;
  readonly grant: GrantFact;
  /** The row to insert for a call that runs at once, or what the row must still be. */
  readonly row:
    | { readonly insert: Record<string, unknown> }
    | { readonly digest: string; readonly approvalId: string | null };
  readonly audit: readonly unknown[];
};

/** Takes limits and money and moves the request to `executing`, or changes nothing. The only way to an effect. */
export async function claim(input: ClaimInput): Promise<ClaimResult> {
  const token = randomUUID();
  try {
    const [row] = await hot.claim(input.orgId, JSON.stringify(claimDocument(input, token)));
    const credential = row
      ? { id: row.credential_id, version: row.credential_version, kind: row.credential_kind, sealed: row.sealed }
      : null;
    return { kind: "claimed", claimed: { token, credential } };
  } catch (error) {
    return refusalOf(error);
  }
}

function claimDocument(input: ClaimInput, token: string): Record<string, unknown> {
  const { facts, call, grant } = input;
  const micros = call.action.price?.micros ?? 0n;
  return {
    requestId: input.requestId,
    policyVersion: facts.policyVersion,
    deploymentLevel: facts.deploymentLevel,
    sessionId: facts.session.id,
    labels: facts.session.labels,
    token,
    leaseSeconds: CLAIM_LEASE_S,
    grantId: grant.id,
    credentialId: facts.credential?.id ?? null,
    credentialVersion: facts.credential?.version ?? null,
    holds: budgetsFor(call, facts).map((budget) => ({
      id: newId("reservation"),
      budgetId: budget.id,
      micros: micros.toString(),
    })),
    audit: input.audit,
    ...input.row,
  };
}

const databaseError = z.object({ code: z.string(), detail: z.string().optional(), constraint: z.string().optional() });

function refusalOf(error: unknown): ClaimResult {
  const parsed = databaseError.safeParse(error);
  if (!parsed.success) throw error;
  switch (parsed.data.code) {
    case "CS001":
      return { kind: "stale" };
    case "CS002":
      return { kind: "usage_limit", retryAfterS: Math.max(1, Number(parsed.data.detail ?? 1)) };
    case "CS003":
      return { kind: "budget_spent" };
    case "CS004":
      return { kind: "row_taken" };
    case "23505":
      return { kind: "duplicate" };
    // A deadlock or serialization failure changed nothing: decide again.
    case "40001":
    case "40P01":
      return { kind: "stale" };
    default:
      throw error;
  }
}
