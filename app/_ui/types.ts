import type { Away } from "@/server/domain/absence";
import type { Risk } from "@/server/domain/action";
import type { ApprovalReason } from "@/server/domain/approval-reasons";
import type { ChangedSince } from "@/server/domain/changed-since";
import type { Edits } from "@/server/domain/edit";
import type { ApproverRole, Role } from "@/server/domain/roles";
import type { OwnRequest } from "@/server/services/approvals/own-request";
import type { EditView } from "@/server/services/requests/edits";

/** What pages show beyond the views that services return. Times are by the database's clock. */

export type ApprovalStatus = "pending" | "approved" | "rejected" | "expired" | "withdrawn" | "voided";

export type Viewer = {
  memberId: string;
  name: string;
  role: Role;
  /** Whether they see approvals, by role or by a right. */
  hasRight: boolean;
  organizationName: string;
};

export type Cost = { micros: bigint; currency: string };

export type Given = { name: string; at: Date; decision: "approve" | "reject" };

export type ApprovalRow = {
  id: string;
  risk: Risk;
  /** 64 hex digits of what the row shows. */
  digest: string;
  title: string;
  agentName: string;
  target: string;
  status: ApprovalStatus;
  /** Null where it does not expire. */
  expiresAt: Date | null;
  /** Whether this person can decide it now. */
  forYou: boolean;
  /** As things stand nobody can approve it. */
  nobodyCan: boolean;
  /** Whether who asked may decide it, or did. */
  ownRequest: OwnRequest | null;
  decided?: Given;
  /** When it was decided, expired or withdrawn. */
  endedAt?: Date;
};

export type ApprovalDetail = Omit<ApprovalRow, "title" | "target"> & {
  requestId: string;
  /** Whether the reader may open the request itself. */
  seesRequest: boolean;
  call: ExactCall | HiddenCall;
  agent: { id: string; name: string };
  /** The member who owns the agent, and so cannot decide. */
  owner: string;
  reasons: readonly Pick<ApprovalReason, "kind" | "text">[];
  required: { people: number; role: ApproverRole };
  given: readonly Given[];
  cost?: Cost;
  /** A stop holds it: its time does not run. */
  isHeld: boolean;
  isIrreversible: boolean;
  isOutward: boolean;
  /** What the backend knows of the session, such as `unverified`. */
  labels: readonly string[];
  undoSeconds?: number;
  /** It was approved and waits out its undo window until about then. */
  undoUntil?: Date;
  note?: string;
  /** Who took it up, where it came of a proposal. */
  takenUpBy?: string;
  /** The earlier request that this one makes good for. */
  compensates?: string;
  remindedAt?: Date;
  /** The role that it went on to last, since nobody decided. */
  escalated?: { to: ApproverRole; at: Date };
  /** Why this person cannot decide, in words, if so. */
  whyNot?: string;
  /** Who could approve it at this moment, while it waits. */
  whoCould?: {
    people: readonly { id: string; name: string; role: Role; away: Away | null }[];
    count: number;
    nobody: string | null;
  };
  /** What changed since it was asked, where it has waited for more than a day and does not expire. */
  changedSince: ChangedSince | null | undefined;
  /** A refusal of the recheck that approving cannot pass now. */
  blocked?: string;
  /** Which arguments may be changed before approving, and how. */
  editable: Edits;
  /** What approvers changed of the request, oldest first. */
  edits: readonly EditView[];
};

/** One call exactly as it would run. `canonical` is the text whose bytes the digest covers. */
export type ExactCall = {
  action: string;
  connection: { id: string; name: string; account?: string };
  arguments: unknown;
  canonical: string;
  /** Targets that this agent reached before over this connection, lower case; absent where that is not known. */
  seenTargets?: readonly string[];
};

/** A call whose content this person may not see. */
export type HiddenCall = Pick<ExactCall, "action" | "connection">;
