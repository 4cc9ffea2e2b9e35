import { z } from "zod";
import { approvalDecided, requestReady, requestScheduled } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { newId } from "@/server/db/new-id";
import type { MemberActor } from "@/server/domain/actor";
import { digestSchema } from "@/server/domain/digest";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { type Asked, loadShown, recheckShown, refused } from "@/server/services/approvals/asked";
import type { Decided, DecisionInput } from "@/server/services/approvals/insert-decision";
import { isHighRisk, proofFields, proofOnce } from "@/server/services/approvals/proof";
import { recordDecision } from "@/server/services/approvals/record-decision";
import { command } from "@/server/services/command";
import { sealJson } from "@/server/services/gateway/content";

/** One answer, and why, for the agent and its owner. */
export const answerFields = {
  decision: z.enum(["approve", "reject"]),
  reason: z.string().trim().min(1).max(2_000).optional(),
};

/** An approval and the digest that the person saw: another one decides nothing. */
export const shownFields = { id: idOf("approval"), digest: digestSchema };

const decideInput = z.strictObject({ ...shownFields, ...answerFields, ...proofFields });
type DecideInput = z.output<typeof decideInput>;

const MAX_ROUNDS = 8;

/**
 * A person answers. Approving judges the request anew first: what would be refused, or is no longer what was shown,
 * cannot be approved. One rejection is final. Throws `forbidden` for who may not decide, `conflict` for another
 * digest, a decided or expired approval, a second answer of the same person, and what is blocked or has changed.
 * Approving high risk takes the password anew: `proof_required` without it, `wrong_password`, `account_locked`.
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

type Guard = (asked: Asked) => AppError | null;

async function decide(
  actor: MemberActor,
  { password, ...input }: DecideInput,
  guard: Guard = () => null,
): Promise<Decided> {
  const prove = proofOnce(actor, password);
  const decisionId = newId("decision");
  const sealedReason = await sealReason(actor, decisionId, input.reason);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const asked = await loadShown(actor, input.id);
    const guarded = guard(asked);
    if (guarded !== null) throw await refused(actor, input, asked, guarded);
    await prove(input, asked);
    const checked = await recheckShown(actor, input, asked);
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

/** Why somebody answered as they did, at rest. */
export const sealReason = async (actor: MemberActor, decisionId: string, reason?: string): Promise<Buffer | null> =>
  reason === undefined ? null : sealJson(actor.orgId, decisionId, "reason", reason);

const refuseHighRisk: Guard = ({ request }) =>
  isHighRisk(request)
    ? new AppError("conflict", "Not decided, nothing ran. High risk is decided one by one: open it.", {
        reason: "high_risk_one_by_one",
      })
    : null;

/** Wakes the work that waits for an answer. */
export async function wakeFor(orgId: string, { approval, request }: Asked, decided: Decided): Promise<void> {
  if (decided.status === "pending") return;
  const ids = { organizationId: orgId, requestId: request.id };
  await wake(approvalDecided.create({ ...ids, approvalId: approval.id }));
  if (decided.requestStatus === "ready") await wake(requestReady.create(ids));
  if (decided.requestStatus === "scheduled") await wake(requestScheduled.create(ids));
}
