import { perform } from "@/server/connectors/perform";
import { dataKeySource } from "@/server/db/data-keys";
import { hot } from "@/server/db/hot";
import type { AuditActor, AuditEntry } from "@/server/domain/audit";
import { trustedBy } from "@/server/domain/destination";
import type { Facts, GrantFact, SessionLabel } from "@/server/domain/facts";
import type { JsonValue } from "@/server/domain/json";
import type { Outcome } from "@/server/domain/outcome";
import type { ToolCall } from "@/server/domain/tool-request";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { auditJson } from "@/server/services/audit/record";
import type { Claimed, SealedCredential } from "@/server/services/gateway/claim";
import { sealJson } from "@/server/services/gateway/content";
import { type Answer, answerOf } from "@/server/services/requests/answer";
import { callFields, priceFields } from "@/server/services/requests/call-fields";
import { vault } from "@/server/vault/for-org";
import type { Secret } from "@/server/vault/secret";

/** A connector must end well before the claim's lease does, so that no run is taken for crashed while it goes on. */
const RUN_TIMEOUT_MS = 60_000;

export type Run = {
  readonly actor: AuditActor & { readonly orgId: string };
  readonly requestId: string;
  readonly facts: Facts;
  readonly call: ToolCall;
  readonly grant: GrantFact;
  readonly claimed: Claimed;
  /** The members whose approval lets it run; none where nobody had to be asked. */
  readonly approvers: readonly string[];
  /** Whether somebody may be watching the request: then listeners are told. Never on the allow path. */
  readonly isWatched: boolean;
};

/** Performs a claimed call and settles it. The claim is on disk before the effect starts. */
export async function runClaimed(run: Run): Promise<Answer> {
  await hot.flush();
  const startedMs = performance.now();
  const outcome = await attempt(run);
  return settle(run, outcome, Math.round(performance.now() - startedMs));
}

const UNCLEAR: Outcome = {
  kind: "outcome_unknown",
  code: "internal_error",
  message: "The run broke off. We do not know whether it happened.",
};

/** A bug in a connector is no proof that nothing happened. */
async function attempt(run: Run): Promise<Outcome> {
  const { facts, call, grant } = run;
  if (facts.connection === null) throw new Error("a claimed call has a connection");
  const stop = AbortSignal.timeout(RUN_TIMEOUT_MS);
  let credential: Secret | null;
  try {
    credential = await openCredential(run.actor.orgId, run.claimed.credential);
  } catch (error) {
    log.error({ requestId: run.requestId, ...errorFields(error) }, "the credential could not be opened");
    return {
      kind: "failed",
      code: "credential_unreadable",
      message: "The stored credential could not be opened. Nothing was sent.",
    };
  }
  try {
    return await perform({
      action: call.action.name,
      args: call.json,
      connection: { provider: facts.connection.provider, config: facts.connection.config },
      credential,
      requestId: run.requestId,
      allow: grant.allow[call.action.name],
      trusts: trustedBy(facts.trusted),
      signal: stop,
      privateHosts: env().ALLOWED_PRIVATE_HOSTS,
    });
  } catch (error) {
    log.error({ requestId: run.requestId, ...errorFields(error) }, "a connector broke off");
    return UNCLEAR;
  }
}

async function openCredential(orgId: string, sealed: SealedCredential | null): Promise<Secret | null> {
  if (sealed === null) return null;
  const binding = { orgId, record: sealed.id, version: sealed.version, kind: sealed.kind };
  return vault().openSecret(dataKeySource, binding, sealed.sealed);
}

async function settle(run: Run, outcome: Outcome, durationMs: number): Promise<Answer> {
  const { actor, requestId, call, facts } = run;
  const content: JsonValue =
    outcome.kind === "succeeded" ? (outcome.result as JsonValue) : { code: outcome.code, message: outcome.message };
  const sealed = await sealJson(actor.orgId, requestId, "result", content);
  const labels = newLabels(run, outcome);
  const document = {
    requestId,
    token: run.claimed.token,
    status: outcome.kind,
    errorCode: outcome.kind === "succeeded" ? null : outcome.code,
    agentId: facts.agent.id,
    connectionId: facts.connection?.id ?? null,
    sessionId: facts.session.id,
    labels,
    targets: call.classification.targets,
    tell: run.isWatched,
    audit: auditJson(actor.orgId, entries(run, outcome, durationMs, sealed.length, labels)),
  };
  const [row] = await hot.settle(actor.orgId, JSON.stringify(document), sealed);
  if (row?.version == null) return answerOf(actor.orgId, requestId);
  const base = { id: requestId, status: outcome.kind, version: row.version };
  return outcome.kind === "succeeded"
    ? { ...base, result: content }
    : { ...base, error: { code: outcome.code, message: outcome.message } };
}

/** What the session has now met: an answer from outside, of a connection that may be marked sensitive. Labels only grow. */
function newLabels({ facts }: Run, outcome: Outcome): SessionLabel[] {
  if (outcome.kind !== "succeeded") return [];
  const met: SessionLabel[] = ["untrusted"];
  if (facts.connection?.sensitive) met.push("sensitive");
  return met.filter((label) => !facts.session.labels.includes(label));
}

function entries(
  run: Run,
  outcome: Outcome,
  durationMs: number,
  resultBytes: number,
  labels: SessionLabel[],
): AuditEntry[] {
  const { actor, requestId, facts } = run;
  const credential = facts.credential?.id;
  const base = {
    actor,
    at: new Date(facts.now.getTime() + durationMs),
    requestId,
    agentId: facts.agent.id,
    personId: facts.agent.ownerId,
    sessionId: facts.session.id,
    credential,
    approvers: run.approvers,
  };
  const fields = { ...callFields(run), ...priceFields(run), durationMs };
  const grown = labels.length === 0 ? [] : [labelled(base, facts, labels)];
  switch (outcome.kind) {
    case "succeeded":
      return [{ ...base, type: "request.succeeded", fields: { ...fields, resultBytes } }, ...grown];
    case "failed":
      return [{ ...base, type: "request.failed", fields: { ...fields, code: outcome.code } }];
    case "outcome_unknown":
      return [{ ...base, type: "request.outcome_unknown", fields: { ...fields, code: outcome.code } }];
  }
}

type Base = Pick<AuditEntry, "actor" | "at" | "requestId" | "agentId" | "sessionId">;

const labelled = (base: Base, facts: Facts, added: SessionLabel[]): AuditEntry => ({
  ...base,
  type: "session.labelled",
  fields: { added, labels: [...facts.session.labels, ...added], why: "content_read" },
});
