import { canonicalBytes } from "@/server/domain/canonical-json";
import { vault } from "@/server/vault/for-org";

/** What a decision's HMAC covers: a row flipped, moved or invented by hand in the database proves nothing. */
export type DecisionFacts = {
  readonly decisionId: string;
  readonly approvalId: string;
  readonly requestId: string;
  readonly digest: string;
  readonly memberId: string;
  readonly decision: "approve" | "reject";
  /** RFC 3339, by the database's clock, to the millisecond. */
  readonly decidedAt: string;
};

const bytesOf = (facts: DecisionFacts): Uint8Array =>
  canonicalBytes({
    decision: facts.decisionId,
    approval: facts.approvalId,
    request: facts.requestId,
    digest: facts.digest,
    member: facts.memberId,
    answer: facts.decision,
    at: facts.decidedAt,
  });

export const signDecision = (orgId: string, facts: DecisionFacts): Buffer => vault().decisionMac(orgId, bytesOf(facts));

export const isSigned = (orgId: string, facts: DecisionFacts, mac: Uint8Array): boolean =>
  vault().isDecisionMac(orgId, bytesOf(facts), mac);
