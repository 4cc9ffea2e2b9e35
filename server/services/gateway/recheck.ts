import type { ApprovalReason } from "@/server/domain/approval-reasons";
import type { Facts, GrantFact } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import type { CheckName, Denial } from "@/server/domain/verdict";
import { chooseGrant } from "@/server/gateway/choose-grant";
import { judge } from "@/server/gateway/pipeline";
import { digestOf } from "@/server/services/gateway/draft";
import { loadFacts } from "@/server/services/gateway/load-facts";
import { classifyCall, type ParsedCall } from "@/server/services/gateway/prepare-call";
import { scanCall } from "@/server/services/gateway/scan";
import { openCall, type StoredRequest } from "@/server/services/requests/stored-request";

/** A stored request judged anew, with the rules and facts of this moment. */
export type Recheck = {
  readonly facts: Facts;
  readonly call: ToolCall;
} & (
  | { readonly kind: "refused"; readonly check: CheckName; readonly denial: Denial }
  | {
      readonly kind: "passed";
      readonly grant: GrantFact;
      readonly digest: string;
      readonly reasons: readonly ApprovalReason[];
    }
);

/**
 * Loads the facts of now, opens the stored call and runs the whole pipeline over it, secret scan included; over `call`
 * in its place where an edited one is given.
 */
export async function recheck(orgId: string, stored: StoredRequest, call?: ParsedCall): Promise<Recheck> {
  const parsed = call ?? (await openCall(orgId, stored));
  const { facts: found } = await loadFacts({
    orgId,
    agentId: stored.agentId,
    keyId: stored.keyId,
    connectionId: stored.connectionId ?? "",
    session: stored.sessionReference,
    targets: parsed.targets,
    idempotencyKey: null,
    currency: parsed.action.price?.currency ?? null,
  });
  const facts: Facts = {
    ...found,
    secretHits: await scanCall(parsed),
    isTakenUp: stored.isTakenUp,
  };
  const judged = classifyCall(parsed, facts);
  const verdict = judge(judged, facts);
  if (verdict.kind === "deny")
    return { kind: "refused", facts, call: judged, check: verdict.check, denial: verdict.denial };
  const grant = chooseGrant(judged, facts);
  if (grant === null) throw new Error("a call that passed has a grant");
  const draft = { id: stored.id, nonce: stored.nonce };
  const digest = digestOf({ orgId, draft, agentId: stored.agentId, facts, grant, call: judged });
  const reasons = verdict.kind === "approval" ? verdict.reasons : [];
  return { kind: "passed", facts, call: judged, grant, digest, reasons };
}
