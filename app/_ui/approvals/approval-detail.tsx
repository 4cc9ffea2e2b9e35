import { ArrowUpRight, Ban, Clock3, Undo2, UserRound } from "lucide-react";
import Link from "next/link";
import { isWhole } from "@/app/_lib/approval-views";
import { plural } from "@/app/_lib/format";
import { headlineOf } from "@/app/_lib/headline";
import { Claim, Money, Section, Unbroken } from "@/app/_ui/bits";
import { DecideWithin, ExpiryVoice } from "@/app/_ui/clock";
import { Digest } from "@/app/_ui/digest";
import { EditedBy } from "@/app/_ui/exact/edited-by";
import { ExactCallView, HiddenCallView } from "@/app/_ui/exact/exact-call";
import { ApprovalStatusPill, Pill, RiskPill } from "@/app/_ui/pill";
import { ReadGateProvider } from "@/app/_ui/read-gate";
import { ReadPart } from "@/app/_ui/read-part";
import { SafeText } from "@/app/_ui/safe-text";
import type { ApprovalDetail } from "@/app/_ui/types";
import { isJsonObject } from "@/server/domain/json";
import type { Similar as SimilarRequests } from "@/server/services/approvals/similar";
import { Called } from "./called";
import { ChangedSinceView } from "./changed-since";
import { DecisionBar } from "./decision-bar";
import { EditCall } from "./edit-call";
import { NoteOpening } from "./note-opening";
import { OwnRequestNotice } from "./own-request-notice";
import { Similar } from "./similar";
import { NobodyCan, WhoCould } from "./who-could";

type Props = { approval: ApprovalDetail; similar: SimilarRequests; next?: string | undefined };

/** Everything a decision needs, in the order it is needed: what, why, the exact call, and last what the agent says. */
export function ApprovalDetailView({ approval, similar, next }: Props) {
  return (
    <ReadGateProvider digest={approval.digest}>
      <article aria-labelledby="headline" className="flex min-w-0 flex-1 flex-col">
        <div className="grid max-w-[52rem] flex-1 content-start gap-6 px-4 pt-4 pb-8 lg:px-8 lg:pt-6">
          <Head approval={approval} />
          {approval.blocked ? <Blocked reason={approval.blocked} /> : null}
          <NobodyCan approval={approval} />
          <OwnRequestNotice own={approval.ownRequest} />
          <Why approval={approval} />
          <ChangedSinceView changed={approval.changedSince} />
          <Section title="Exactly what will run" id="what">
            {isWhole(approval.call) ? <ExactCallView call={approval.call} /> : <HiddenCallView call={approval.call} />}
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <Digest digest={approval.digest} />
              <Edit approval={approval} />
            </div>
          </Section>
          <EditedBy edits={approval.edits} />
          <Origin approval={approval} />
          <WhoCould approval={approval} />
          <Called approval={approval} />
          <Similar similar={similar} action={approval.call.action} />
          {approval.note ? (
            <Section title="What the agent says about it" id="claim">
              <Claim agentName={approval.agent.name} text={approval.note} />
            </Section>
          ) : null}
        </div>
        <DecisionBar {...barProps(approval)} next={next} />
        {approval.status === "pending" && approval.expiresAt ? <ExpiryVoice until={approval.expiresAt} /> : null}
        {approval.status === "pending" && approval.forYou ? <NoteOpening id={approval.id} /> : null}
      </article>
    </ReadGateProvider>
  );
}

/** Offered to who may decide, for a call of which something may be changed. */
function Edit({ approval }: { approval: ApprovalDetail }) {
  const { id, digest, risk, status, forYou, call, editable } = approval;
  if (status !== "pending" || !forYou || !isWhole(call) || !isJsonObject(call.arguments)) return null;
  const some = Object.keys(editable).some((field) => Object.hasOwn(call.arguments as object, field));
  return some ? <EditCall id={id} digest={digest} risk={risk} args={call.arguments} editable={editable} /> : null;
}

function headline({ call }: ApprovalDetail) {
  return isWhole(call) ? headlineOf(call) : { wants: `run ${call.action}`, act: `run ${call.action}`, noun: "request" };
}

function barProps(approval: ApprovalDetail) {
  const { act, noun } = headline(approval);
  const { id, requestId, digest, risk, status, given, agent, forYou, whyNot, decided, undoUntil } = approval;
  return {
    id,
    requestId,
    digest,
    risk,
    status,
    given,
    agentName: agent.name,
    act,
    noun,
    forYou,
    whyNot,
    decided,
    undoUntil,
  };
}

function Head({ approval }: { approval: ApprovalDetail }) {
  const { wants } = headline(approval);
  return (
    <header className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <RiskPill risk={approval.risk} long />
        {approval.status === "pending" ? (
          <Pill tone="wait" icon={Clock3}>
            {approval.forYou ? "waits for you" : "waits for others"} ·{" "}
            {approval.isHeld ? "held by a stop" : <DecideWithin until={approval.expiresAt} />}
          </Pill>
        ) : (
          <ApprovalStatusPill status={approval.status} />
        )}
        {approval.status === "pending" ? <UndoPill approval={approval} /> : null}
      </div>
      <h1 id="headline" className="text-lg font-semibold text-balance wrap-anywhere">
        <SafeText text={approval.agent.name} oneLine /> wants to <Unbroken text={wants} />
      </h1>
      <Context approval={approval} />
    </header>
  );
}

function UndoPill({ approval }: { approval: ApprovalDetail }) {
  if (approval.undoSeconds) {
    return (
      <Pill tone="plain" icon={Undo2}>
        can be cancelled for {approval.undoSeconds} s
      </Pill>
    );
  }
  return approval.isIrreversible ? (
    <Pill tone="plain" icon={Ban}>
      cannot be undone
    </Pill>
  ) : null;
}

function Context({ approval }: { approval: ApprovalDetail }) {
  const { connection } = approval.call;
  return (
    <p className="flex flex-wrap gap-x-3 text-text2">
      <span className="inline-flex items-center gap-1">
        <UserRound size={14} strokeWidth={1.75} aria-hidden />
        agent of <SafeText text={approval.owner} oneLine />
      </span>
      {approval.takenUpBy ? (
        <span>
          taken up by <SafeText text={approval.takenUpBy} oneLine />
        </span>
      ) : null}
      {approval.compensates && approval.seesRequest ? (
        <Link href={`/requests/${approval.compensates}`} className="link" prefetch={false}>
          makes good for an earlier request
        </Link>
      ) : null}
      <span>
        over <SafeText text={connection.name} oneLine />
      </span>
      <span>{approval.cost ? <Money {...approval.cost} /> : "costs nothing"}</span>
      {approval.seesRequest ? (
        <Link href={`/requests/${approval.requestId}`} className="link inline-flex items-center" prefetch={false}>
          Request
          <ArrowUpRight size={14} strokeWidth={1.75} aria-hidden />
        </Link>
      ) : null}
    </p>
  );
}

const LABEL_WORDS: Readonly<Record<string, string>> = {
  unverified: "the agent runs elsewhere, so what else it read is not known",
  untrusted: "it read content from outside",
  sensitive: "it read from a sensitive connection",
};

/** What the backend knows of where this comes from; the agent cannot change it. */
function Origin({ approval }: { approval: ApprovalDetail }) {
  const facts = approval.labels.map((label) => `${label}: ${LABEL_WORDS[label] ?? "set by the backend"}`);
  return (
    <Section title="Where it comes from" id="origin">
      <ul className="grid gap-1 text-text2">
        {facts.length === 0 ? <li>A clean session: nothing untrusted or sensitive was read in it.</li> : null}
        {facts.map((fact) => (
          <li key={fact}>Session {fact}.</li>
        ))}
        {approval.isOutward ? <li>It goes to a destination that the organization has not marked as trusted.</li> : null}
      </ul>
    </Section>
  );
}

function Blocked({ reason }: { reason: string }) {
  return (
    <p className="notice notice-stop">
      It cannot run now: {reason} Approving is refused until that has changed; rejecting works.
    </p>
  );
}

/** Kinds of reason that no setting of the organization takes away. */
const FLOOR: ReadonlySet<string> = new Set(["floor", "mandatory", "session"]);

function byKind(reasons: ApprovalDetail["reasons"]): { kind: string; texts: string[] }[] {
  const texts = new Map<string, string[]>();
  for (const { kind, text } of reasons) texts.set(kind, [...(texts.get(kind) ?? []), text]);
  return [...texts].map(([kind, list]) => ({ kind, texts: [...new Set(list)] }));
}

function Why({ approval }: { approval: ApprovalDetail }) {
  return (
    <Section title="Why you are asked" id="why">
      <ReadPart label="reasons">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5">
          {byKind(approval.reasons).map(({ kind, texts }) => (
            <div key={kind} className="contents">
              <dt>
                <Pill tone={FLOOR.has(kind) ? "stop" : "wait"}>{kind}</Pill>
              </dt>
              <dd className="grid gap-0.5">
                {texts.map((text) => (
                  <SafeText key={text} text={text} />
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </ReadPart>
      <p className="text-sm text-text3">
        Needs {plural(approval.required.people, "person", "people")} with the role {approval.required.role} or above.
      </p>
    </Section>
  );
}
