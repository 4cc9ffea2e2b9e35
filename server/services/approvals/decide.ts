import { z } from "zod";
import { approvalDecided, requestReady, requestScheduled } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { findAction } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import { satisfies } from "@/server/domain/approval-reasons";
import { digestSchema } from "@/server/domain/digest";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { DENIALS } from "@/server/domain/verdict";
import { askAnew } from "@/server/services/approvals/ask-anew";
import { type Decided, type DecisionInput, recordDecision } from "@/server/services/approvals/record-decision";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { sealJson } from "@/server/services/gateway/content";
import { type Recheck, recheck } from "@/server/services/gateway/recheck";
import {
  readApproval,
  readRequest,
  type StoredApproval,
  type StoredRequest,
} from "@/server/services/requests/stored-request";

/** One answer, and why, for the agent and its owner. */
export const answerFields = {
  decision: z.enum(["approve", "reject"]),
  reason: z.string().trim().min(1).max(2_000).optional(),
};

/** An approval and the digest that the person saw: another one decides nothing. */
export const shownFields = { id: idOf("approval"), digest: digestSchema };

const decideInput = z.strictObject({ ...shownFields, ...answerFields });
type DecideInput = z.output<typeof decideInput>;

const MAX_ROUNDS = 8;

/**
 * A person answers. Approving judges the request anew first: what would be refused, or is no longer what was shown,
 * cannot be approved. One rejection is final. Throws `forbidden` for who may not decide, `conflict` for another
 * digest, a decided or expired approval, a second answer of the same person, and what is blocked or has changed.
 */
export const decideApproval = command({
  name: "approval.decide",
  callers: ["member"],
  permission: "approval:decide",
  input: decideInput,
  run: (actor, input) => decide(actor, input),
});

/** One decision of many at once: the same, but for what only ever is decided by itself. */
export const decideInBatch = (actor: MemberActor, input: DecideInput): Promise<Decided> =>
  decide(actor, input, refuseHighRisk);

type Asked = { readonly approval: StoredApproval; readonly request: StoredRequest };

type Guard = (asked: Asked) => AppError | null;

async function decide(actor: MemberActor, input: DecideInput, guard: Guard = () => null): Promise<Decided> {
  const decisionId = newId("decision");
  const sealedReason =
    input.reason === undefined ? null : await sealJson(actor.orgId, decisionId, "reason", input.reason);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const asked = await loadAsked(actor.orgId, input.id);
    const guarded = guard(asked);
    if (guarded !== null) throw await refused(actor, input, asked, guarded);
    const checked = await maybeRecheck(actor, input, asked);
    const decision: DecisionInput = { ...input, decisionId, sealedReason };
    const decided = await recordDecision(actor, decision, asked, checked);
    if (decided.kind === "refused") throw await refused(actor, input, asked, decided.error);
    if (decided.kind === "decided") {
      await wakeFor(actor.orgId, asked, decided.result);
      return decided.result;
    }
  }
  throw new AppError("unavailable", "The configuration kept changing, so nothing was decided. Try again.", {
    retryAfterS: 1,
  });
}

/** By the risk it was asked with, and by the one its action declares now. */
const refuseHighRisk: Guard = ({ request }) =>
  request.risk === "high" || findAction(request.action)?.risk === "high"
    ? new AppError("conflict", "Not decided, nothing ran. High risk is decided one by one: open it.", {
        reason: "high_risk_one_by_one",
      })
    : null;

async function loadAsked(orgId: string, id: string): Promise<Asked> {
  const asked = await withOrgSql(orgId, async (q) => {
    const approval = await readApproval(q, { id });
    const request = approval === null ? null : await readRequest(q, approval.requestId);
    return approval === null || request === null ? null : { approval, request };
  });
  if (asked === null) throw new AppError("not_found", "There is no such approval.");
  return asked;
}

/** Before an approval counts, the request is judged by the rules of this moment. A rejection needs no such thing. */
async function maybeRecheck(
  actor: MemberActor,
  input: DecideInput,
  asked: Asked,
): Promise<Extract<Recheck, { kind: "passed" }> | null> {
  const { approval, request } = asked;
  if (input.decision === "reject" || approval.status !== "pending" || approval.digest !== input.digest) return null;
  const checked = await recheck(actor.orgId, request);
  if (checked.kind === "refused") throw await refused(actor, input, asked, blocked(checked));
  const isSame = checked.digest === approval.digest && satisfies(approval.reasons, checked.reasons);
  if (isSame) return checked;
  await askAnew(actor, asked, checked);
  throw await refused(actor, input, asked, changed());
}

const blocked = ({ check, denial }: Extract<Recheck, { kind: "refused" }>) =>
  new AppError("conflict", `Not approved, nothing ran. ${DENIALS[denial.code]}`, {
    reason: "blocked",
    extra: { check, blockedBy: denial.code },
  });

const changed = () =>
  new AppError("conflict", "Not approved, nothing ran. What you saw has changed; it is asked again as it stands now.", {
    reason: "changed",
  });

/** An attempt that decided nothing is recorded all the same. */
async function refused(
  actor: MemberActor,
  input: DecideInput,
  { approval, request }: Asked,
  error: AppError,
): Promise<AppError> {
  await withOrgSql(actor.orgId, async (q) => {
    const { rows } = await q.query<{ now: Date }>("SELECT clock_timestamp() AS now");
    await auditSql(q, {
      type: "approval.refused",
      actor,
      at: rows[0]?.now ?? new Date(),
      requestId: request.id,
      agentId: request.agentId,
      sessionId: request.sessionId,
      fields: { approval: approval.id, action: request.action, code: error.reason, decision: input.decision },
    });
  });
  return error;
}

async function wakeFor(orgId: string, { approval, request }: Asked, decided: Decided): Promise<void> {
  if (decided.status === "pending") return;
  const ids = { organizationId: orgId, requestId: request.id };
  await wake(approvalDecided.create({ ...ids, approvalId: approval.id }));
  if (decided.requestStatus === "ready") await wake(requestReady.create(ids));
  if (decided.requestStatus === "scheduled") await wake(requestScheduled.create(ids));
}
