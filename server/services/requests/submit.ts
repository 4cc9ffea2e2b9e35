import { createHash } from "node:crypto";
import { z } from "zod";
import type { AgentActor } from "@/server/domain/actor";
import { canonicalBytes } from "@/server/domain/canonical-json";
import { AppError } from "@/server/domain/errors";
import type { Facts } from "@/server/domain/facts";
import { idOf } from "@/server/domain/ids";
import type { JsonObject } from "@/server/domain/json";
import type { ToolCall } from "@/server/domain/tool-request";
import { deny, type Verdict } from "@/server/domain/verdict";
import { judge } from "@/server/gateway/pipeline";
import { command } from "@/server/services/command";
import { loadFacts } from "@/server/services/gateway/load-facts";
import { classifyCall, type ParsedCall, parseCall } from "@/server/services/gateway/prepare-call";
import { scanCall } from "@/server/services/gateway/scan";
import { type Answer, answerOf } from "@/server/services/requests/answer";
import { requireCompensable } from "@/server/services/requests/compensate";
import { recordAllowed } from "@/server/services/requests/record-allowed";
import { recordDenied } from "@/server/services/requests/record-denied";
import { recordPending } from "@/server/services/requests/record-pending";
import { recordScheduled } from "@/server/services/requests/record-scheduled";
import type { Recorded, Submission } from "@/server/services/requests/submission";

/** A session an agent does not name: one for all its calls that name none. */
const DEFAULT_SESSION = "default";
const visible = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

const submitInput = z.strictObject({
  action: z.string().min(3).max(100),
  connection: idOf("connection"),
  arguments: z.record(z.string(), z.json()),
  session: visible(200).optional(),
  idempotencyKey: visible(200).optional(),
  /** An earlier request of this agent that ran, for which this one makes good. */
  compensates: idOf("toolRequest").optional(),
  note: z.string().max(4_000).optional(),
});
type SubmitInput = z.output<typeof submitInput>;

/** Decides anew when what was decided no longer holds at the write; configuration does not change this often in a row. */
const MAX_ROUNDS = 8;

/**
 * An agent asks. The answer is the request's state: done, pending, scheduled, failed or of unknown outcome. A refusal
 * is recorded and thrown (`refused` or, for limits, `rate_limited`); a schema fault is thrown before there is a row.
 */
export const submitToolRequest = command({
  name: "tool_request.submit",
  callers: ["agent"],
  permission: "tool:submit",
  input: submitInput,
  run: submit,
});

async function submit(actor: AgentActor, input: SubmitInput): Promise<Answer> {
  const parsed = parseCall(input.action, input.arguments as JsonObject, input.note);
  const { compensates } = input;
  await requireCompensable(actor, compensates);
  const hits = await scanCall(parsed);
  const idempotency =
    input.idempotencyKey === undefined ? null : { key: input.idempotencyKey, hash: idempotencyHash(input) };
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { facts: found, existing } = await loadFacts({
      orgId: actor.orgId,
      agentId: actor.agentId,
      keyId: actor.credentialId,
      connectionId: input.connection,
      session: input.session ?? DEFAULT_SESSION,
      targets: parsed.targets,
      idempotencyKey: idempotency?.key ?? null,
      currency: parsed.action.price?.currency ?? null,
    });
    if (existing && idempotency) return replay(actor, existing, idempotency.hash);
    const facts: Facts = { ...found, secretHits: hits, isTakenUp: false };
    const call = classify(parsed, facts);
    const submission: Submission = { actor, facts, call, idempotency, compensates };
    const recorded = await record(submission, judge(submission.call, facts));
    if (recorded.kind === "recorded") return recorded.answer;
  }
  throw new AppError("unavailable", "The configuration kept changing, so nothing ran. Try again.", { retryAfterS: 1 });
}

const classify = (parsed: ParsedCall, facts: Facts): ToolCall => classifyCall(parsed, facts);

function record(submission: Submission, verdict: Verdict): Promise<Recorded> {
  switch (verdict.kind) {
    case "deny":
      return recordDenied(submission, verdict.check, verdict.denial);
    case "approval":
      return submission.facts.pending >= submission.facts.agent.pendingLimit
        ? recordDenied(submission, "reservation", deny("too_many_pending", { retryAfterS: 60 }))
        : recordPending(submission, verdict.reasons);
    case "allow":
      return submission.call.action.undo === null ? recordAllowed(submission) : recordScheduled(submission);
  }
}

/** What makes two calls under one idempotency key the same call. */
function idempotencyHash(input: SubmitInput): string {
  const same = {
    action: input.action,
    connection: input.connection,
    arguments: input.arguments as JsonObject,
    session: input.session ?? null,
    ...(input.compensates === undefined ? {} : { compensates: input.compensates }),
  };
  return createHash("sha256").update(canonicalBytes(same)).digest("hex");
}

async function replay(actor: AgentActor, existing: { id: string; hash: string }, hash: string): Promise<Answer> {
  if (existing.hash !== hash) {
    throw new AppError("conflict", "This idempotency key belongs to another call. Use a new key.", {
      reason: "idempotency_key_reused",
      field: "idempotencyKey",
      extra: { id: existing.id },
    });
  }
  return answerOf(actor.orgId, existing.id, { throwRefusal: true });
}
