import Link from "next/link";
import { isWhole } from "@/app/_lib/approval-views";
import { headlineOf } from "@/app/_lib/headline";
import { OwnRequestNotice } from "@/app/_ui/approvals/own-request-notice";
import { Claim, Money, Section, Unbroken } from "@/app/_ui/bits";
import { EditedBy } from "@/app/_ui/exact/edited-by";
import { ExactCallView, HiddenCallView } from "@/app/_ui/exact/exact-call";
import { ValueView } from "@/app/_ui/exact/values-view";
import { RequestStatusPill, RiskPill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { Cost, ExactCall, HiddenCall } from "@/app/_ui/types";
import type { Risk } from "@/server/domain/action";
import type { ShadowMatch } from "@/server/domain/shadow";
import type { Standing } from "@/server/domain/standing";
import type { RequestStatus } from "@/server/domain/tool-request";
import type { OwnRequest } from "@/server/services/approvals/own-request";
import type { EditView } from "@/server/services/requests/edits";
import type { TimelineEntry } from "@/server/services/requests/timeline";
import { InShadow } from "./in-shadow";
import { RequestActions } from "./request-actions";
import { StandingNotice } from "./standing-notice";
import { Timeline } from "./timeline";

type OtherRequest = { id: string; status: string };

export type RequestDetail = {
  id: string;
  status: RequestStatus;
  risk: Risk;
  isProposal: boolean;
  agent: { id: string; name: string };
  /** Whole where this person may see content and it was stored. */
  call: ExactCall | HiddenCall;
  note?: string;
  result?: unknown;
  /** Where it stands, by whom and why. */
  standing: Standing;
  shadow: readonly ShadowMatch[];
  pendingApprovalId?: string;
  cost?: Cost;
  runsAt?: Date;
  createdAt: Date;
  timeline: readonly TimelineEntry[];
  edits: readonly EditView[];
  /** Whether who asked may decide it, or did. */
  ownRequest: OwnRequest | null;
  /** The proposal that it came of, the request that came of it, and who took it up. */
  takenUpFrom: string | null;
  takenUpAs: string | null;
  takenUpBy: string | null;
  /** The earlier request that this one makes good for, and later ones that do so for this one. */
  compensates: OtherRequest | null;
  compensatedBy: readonly OtherRequest[];
  may: { cancel: boolean; resolve: boolean; takeUp: boolean };
};

/** One request: where it stands, the exact call, what came of it, and everything that happened on the way. */
export function RequestDetailView({ request }: { request: RequestDetail }) {
  const { call } = request;
  return (
    <div className="grid min-w-0 gap-6 px-4 py-5 lg:px-8 lg:py-6 xl:grid-cols-[minmax(0,48rem)_minmax(18rem,24rem)] xl:gap-10">
      <div className="grid min-w-0 content-start gap-6">
        <Head request={request} />
        <OwnRequestNotice own={request.ownRequest} />
        <StandingNotice standing={request.standing} />
        <Section title="The exact call" id="call">
          {isWhole(call) ? <ExactCallView call={call} /> : <HiddenCallView call={call} />}
        </Section>
        <EditedBy edits={request.edits} />
        {request.result === undefined ? null : (
          <Section title="Result" id="result">
            <div className="card min-w-0 p-4">
              <ValueView value={request.result} label="result" />
            </div>
          </Section>
        )}
        <InShadow matches={request.shadow} />
        {request.note ? (
          <Section title="What the agent says about it" id="claim">
            <Claim agentName={request.agent.name} text={request.note} />
          </Section>
        ) : null}
      </div>
      <Section title="What happened" id="timeline">
        <Timeline entries={request.timeline} />
      </Section>
    </div>
  );
}

/** What it makes good for, and what makes good for it. */
function Compensation({ request: { compensates, compensatedBy } }: { request: RequestDetail }) {
  return (
    <>
      {compensates ? <Others word="Makes good for" requests={[compensates]} /> : null}
      {compensatedBy.length > 0 ? <Others word="Made good for by" requests={compensatedBy} /> : null}
    </>
  );
}

function Others({ word, requests }: { word: string; requests: readonly OtherRequest[] }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-text2">
      <span>{word}</span>
      {requests.map(({ id, status }) => (
        <span key={id} className="inline-flex flex-wrap items-center gap-2">
          <Link className="link" href={`/requests/${id}`} prefetch={false}>
            <code>{id}</code>
          </Link>
          <RequestStatusPill status={status as RequestStatus} />
        </span>
      ))}
    </p>
  );
}

/** Who took it up, with the way to the other half. */
function TakenUp({ request: { takenUpFrom, takenUpAs, takenUpBy } }: { request: RequestDetail }) {
  const other = takenUpAs ?? takenUpFrom;
  if (other === null) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-text2">
      <span>
        Taken up by <SafeText text={takenUpBy ?? "somebody"} oneLine />
      </span>
      <Link className="link" href={`/requests/${other}`} prefetch={false}>
        {takenUpAs === null ? "Proposal" : "Request"}
      </Link>
    </p>
  );
}

function Head({ request }: { request: RequestDetail }) {
  const { call, agent } = request;
  const wants = isWhole(call) ? headlineOf(call).wants : `run ${call.action}`;
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <RequestStatusPill status={request.status} />
        {request.isProposal ? <span className="pill pill-plain">proposal</span> : null}
        <RiskPill risk={request.risk} long />
      </div>
      <h1 className="text-lg font-semibold text-balance wrap-anywhere">
        <SafeText text={agent.name} oneLine /> {request.status === "succeeded" ? "asked to" : "wants to"}{" "}
        <Unbroken text={wants} />
      </h1>
      <p className="flex flex-wrap gap-x-3 text-text2">
        <span>
          over <SafeText text={call.connection.name} oneLine />
        </span>
        {request.cost ? <Money {...request.cost} /> : null}
        <Link className="link" href={`/agents/${agent.id}`} prefetch={false}>
          Agent
        </Link>
        <code className="self-center">{request.id}</code>
      </p>
      <TakenUp request={request} />
      <Compensation request={request} />
      <RequestActions
        id={request.id}
        may={request.may}
        status={request.status}
        {...(request.runsAt ? { runsAt: request.runsAt } : {})}
        {...(request.pendingApprovalId ? { approvalId: request.pendingApprovalId } : {})}
      />
    </header>
  );
}
