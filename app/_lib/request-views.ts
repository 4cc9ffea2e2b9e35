import type { RequestDetail } from "@/app/_ui/requests/request-detail";
import type { RequestRow } from "@/app/_ui/requests/request-list";
import type { Risk } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import type { RequestStatus } from "@/server/domain/tool-request";
import type { describeToolRequest } from "@/server/services/requests/detail";
import type { listToolRequests } from "@/server/services/requests/list";
import { callOf } from "./approval-views";

type Listed = Awaited<ReturnType<typeof listToolRequests>>["items"][number];
type Described = Awaited<ReturnType<typeof describeToolRequest>>;

/** One row of the list of requests. Check constraints hold status and risk to their words. */
export function requestRow(item: Listed): RequestRow {
  return {
    id: item.id,
    status: item.status as RequestStatus,
    risk: item.risk as Risk,
    action: item.action,
    headline: item.headline,
    agentName: item.agent.name,
    connectionName: item.connection?.name ?? null,
    isProposal: item.isProposal,
    isTakenUp: item.takenUpAt !== null,
    createdAt: item.createdAt,
  };
}

/** Everything that the page of one request shows. */
export function requestDetail(request: Described, actor: MemberActor): RequestDetail {
  const isShown = !request.isContentWithheld && request.hasArguments;
  const pending = request.approvals.find((approval) => approval.status === "pending");
  return {
    id: request.id,
    status: request.status as RequestStatus,
    risk: request.risk as Risk,
    isProposal: request.isProposal,
    agent: { id: request.agent.id, name: request.agent.name },
    call: callOf(request, isShown),
    createdAt: request.createdAt,
    timeline: request.timeline,
    edits: request.edits,
    standing: request.standing,
    ownRequest: request.ownRequest,
    takenUpFrom: request.takenUpFrom,
    takenUpBy: request.takenUpBy?.name ?? null,
    takenUpAs: request.takenUpAs,
    compensates: request.compensates,
    compensatedBy: request.compensatedBy,
    may: {
      cancel: actor.permissions.has("request:cancel"),
      resolve: actor.permissions.has("request:resolve"),
      takeUp: request.isProposal && request.hasArguments && request.takenUpAs === null && mayTakeUp(actor),
    },
    ...(typeof request.note === "string" ? { note: request.note } : {}),
    ...(request.status === "succeeded" && request.result !== null ? { result: request.result } : {}),
    shadow: request.shadow,
    ...(pending ? { pendingApprovalId: pending.id } : {}),
    ...(request.runsAt ? { runsAt: request.runsAt } : {}),
    ...(request.price ? { cost: { micros: BigInt(request.price.micros), currency: request.price.currency } } : {}),
  };
}

const mayTakeUp = (actor: MemberActor) => actor.permissions.has("proposal:take_up");
