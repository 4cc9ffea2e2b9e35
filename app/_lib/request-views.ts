import type { RequestDetail } from "@/app/_ui/requests/request-detail";
import type { RequestRow } from "@/app/_ui/requests/request-list";
import type { Risk } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import type { RequestStatus } from "@/server/domain/tool-request";
import { DENIALS, type DenyCode } from "@/server/domain/verdict";
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
  const problem = problemOf(request);
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
    ...(problem ? { problem } : {}),
    shadow: request.shadow,
    ...(pending ? { pendingApprovalId: pending.id } : {}),
    ...(request.runsAt ? { runsAt: request.runsAt } : {}),
    ...(request.price ? { cost: { micros: BigInt(request.price.micros), currency: request.price.currency } } : {}),
  };
}

const mayTakeUp = (actor: MemberActor) => actor.permissions.has("proposal:take_up");

const refusal = (code: string) => DENIALS[code as DenyCode] ?? "A check refused it.";

function problemOf(request: Described): RequestDetail["problem"] {
  if (request.denied) {
    return { title: `Refused by the check ${request.denied.check}`, text: refusal(request.denied.code) };
  }
  if (request.blocked) {
    return { title: `Cannot run now: the check ${request.blocked.check}`, text: refusal(request.blocked.code) };
  }
  const message = messageIn(request.result);
  if (request.status === "failed") return { title: "It failed", text: message ?? "Nothing happened outside." };
  if (request.status !== "outcome_unknown") return undefined;
  const text = "We do not know whether it happened. Look at the other end, then mark it done or not done.";
  return { title: "Outcome unknown", text: message ? `${text} ${message}` : text };
}

function messageIn(result: Described["result"]): string | undefined {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return undefined;
  return typeof result.message === "string" ? result.message : undefined;
}
