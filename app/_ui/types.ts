import type { ApproverRole, Role } from "@/server/domain/roles";

/** What pages show. Times are ISO 8601 by the database's clock; money is micro-units as decimal text. */

export type RiskLevel = "low" | "medium" | "high";

export type RequestStatus =
  | "denied"
  | "pending"
  | "ready"
  | "scheduled"
  | "executing"
  | "succeeded"
  | "failed"
  | "outcome_unknown"
  | "rejected"
  | "expired"
  | "withdrawn"
  | "cancelled";

export type ApprovalStatus = "pending" | "approved" | "rejected" | "expired" | "withdrawn" | "voided";

export type Viewer = { memberId: string; name: string; role: Role; organizationName: string };

export type Cost = { micros: string; currency: string };

export type Given = { name: string; at: string; decision: "approve" | "reject" };

/** A reason for asking: the code names the check, the text is ours and never an agent's. */
export type AskReason = { code: string; text: string };

export type ApprovalRow = {
  id: string;
  risk: RiskLevel;
  title: string;
  agentName: string;
  target: string;
  status: ApprovalStatus;
  expiresAt: string;
  /** Whether this person can decide it now. */
  forYou: boolean;
  decided?: Given;
};

export type ApprovalDetail = Omit<ApprovalRow, "title" | "target"> & {
  requestId: string;
  digest: string;
  call: ExactCall;
  agent: { id: string; name: string };
  /** The person the agent acts for. */
  actingFor?: string;
  reasons: AskReason[];
  required: { people: number; role: ApproverRole };
  given: Given[];
  cost?: Cost;
  isIrreversible: boolean;
  undoSeconds?: number;
  note?: string;
  /** Why this person cannot decide, in words, if so. */
  whyNot?: string;
  /** A refusal of the recheck that approving cannot pass now. */
  blocked?: string;
  history: { approved: number; rejected: number };
};

/** One call exactly as it would run. `canonical` is the text whose bytes the digest covers. */
export type ExactCall = {
  action: string;
  connection: { id: string; name: string; account?: string };
  arguments: unknown;
  canonical: string;
  /** How often this organization has sent to an address or host before; absent where nobody counted. */
  seenBefore?: Record<string, number>;
};
