import type { ApprovalDetail, ApprovalRow, ApprovalStatus, ExactCall, Given, HiddenCall } from "@/app/_ui/types";
import { canonicalJson } from "@/server/domain/canonical-json";
import type { ChangedSince } from "@/server/domain/changed-since";
import type { JsonValue } from "@/server/domain/json";
import type { Permission } from "@/server/domain/permission";
import type { ApprovalView } from "@/server/services/approvals/read-model";
import { headlineOf } from "./headline";

type Stored = {
  action: string;
  connection: { id: string; name: string; account: string } | null;
  arguments: JsonValue;
  seenTargets?: readonly string[];
};

/** A call for display: whole, or only named where its content is withheld or was not stored. */
export function callOf(stored: Stored, isShown: boolean): ExactCall | HiddenCall {
  const { id = "", name = "no connection", account = "" } = stored.connection ?? {};
  const connection = { id, name, ...(account === "" ? {} : { account }) };
  if (!isShown) return { action: stored.action, connection };
  return {
    action: stored.action,
    connection,
    arguments: stored.arguments,
    canonical: canonicalJson(stored.arguments),
    ...(stored.seenTargets ? { seenTargets: stored.seenTargets } : {}),
  };
}

export const isWhole = (call: ExactCall | HiddenCall): call is ExactCall => "canonical" in call;

/** One row of the inbox. */
export function approvalRow(view: ApprovalView): ApprovalRow {
  const call = callOf(view, !view.isContentWithheld);
  const { title, target } = isWhole(call)
    ? headlineOf(call)
    : { title: `Run ${view.action}`, target: "content not shown" };
  const last = decisionsOf(view).at(-1);
  return {
    id: view.id,
    risk: view.risk,
    digest: view.digest,
    title,
    target,
    agentName: view.agent.name,
    status: view.status as ApprovalStatus,
    expiresAt: view.expiresAt,
    forYou: view.mayDecide.allowed,
    ownRequest: view.ownRequest,
    nobodyCan: typeof view.whoCould?.nobody === "string",
    ...(view.status !== "pending" && last ? { decided: last } : {}),
    ...(view.decidedAt ? { endedAt: view.decidedAt } : {}),
  };
}

/** Everything that the page of one approval shows. */
export function approvalDetail(
  view: ApprovalView & { changedSince?: ChangedSince | null },
  reader: ReadonlySet<Permission>,
): ApprovalDetail {
  const { title: _title, target: _target, ...row } = approvalRow(view);
  const decisions = decisionsOf(view);
  return {
    ...row,
    requestId: view.requestId,
    seesRequest: reader.has("request:read"),
    changedSince: view.changedSince,
    call: callOf(view, !view.isContentWithheld),
    agent: { id: view.agent.id, name: view.agent.name },
    owner: view.agent.owner,
    reasons: view.reasons,
    required: view.required,
    given: decisions,
    isHeld: view.isHeld,
    editable: view.editable,
    edits: view.edits,
    isIrreversible: view.isIrreversible,
    isOutward: view.isOutward,
    labels: view.labels,
    ...(view.price ? { cost: { micros: BigInt(view.price.micros), currency: view.price.currency } } : {}),
    ...(view.undoSeconds > 0 ? { undoSeconds: view.undoSeconds } : {}),
    ...(view.note === null ? {} : { note: view.note }),
    ...(reader.has("request:cancel") ? undoFields(view) : {}),
    ...(view.mayDecide.allowed ? {} : { whyNot: view.mayDecide.why }),
    ...(view.remindedAt ? { remindedAt: view.remindedAt } : {}),
    ...(view.escalated ? { escalated: view.escalated } : {}),
    ...(view.compensates ? { compensates: view.compensates } : {}),
    ...(view.takenUpBy ? { takenUpBy: view.takenUpBy.name } : {}),
    ...(view.whoCould ? { whoCould: view.whoCould } : {}),
    ...(view.blocked ? { blocked: view.blocked.message } : {}),
  };
}

const undoFields = ({ requestStatus, decidedAt, undoSeconds }: ApprovalView) =>
  requestStatus === "scheduled" && decidedAt ? { undoUntil: new Date(decidedAt.getTime() + undoSeconds * 1000) } : {};

function decisionsOf(view: ApprovalView): Given[] {
  return view.decisions.map(({ name, decision, at }) => ({
    name,
    at: new Date(at),
    decision: decision === "reject" ? "reject" : "approve",
  }));
}
