import { randomBytes } from "node:crypto";
import { z } from "zod";
import { approvalRequested } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { explainRule } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import { changesBetween, refuseEdit } from "@/server/domain/edit";
import { AppError } from "@/server/domain/errors";
import type { JsonObject } from "@/server/domain/json";
import { leastReadingMs } from "@/server/domain/reading-time";
import { type Asked, blocked, loadShown, recheckShown, refused } from "@/server/services/approvals/asked";
import { mayEdit } from "@/server/services/approvals/authority";
import { answerFields, sealReason, shownFields, wakeFor } from "@/server/services/approvals/decide";
import type { Decided } from "@/server/services/approvals/insert-decision";
import { proofFields, proofOnce } from "@/server/services/approvals/proof";
import { recordDecision } from "@/server/services/approvals/record-decision";
import type { Edit } from "@/server/services/approvals/replace-version";
import { command } from "@/server/services/command";
import { sealJson } from "@/server/services/gateway/content";
import { NONCE_BYTES } from "@/server/services/gateway/draft";
import { type ParsedCall, parseCall } from "@/server/services/gateway/prepare-call";
import { recheck } from "@/server/services/gateway/recheck";
import { openCall } from "@/server/services/requests/stored-request";

const editInput = z.strictObject({
  ...shownFields,
  arguments: z.record(z.string(), z.json()),
  reason: answerFields.reason,
  ...proofFields,
});
type EditInput = z.output<typeof editInput>;

const MAX_ROUNDS = 8;

/**
 * Approves a call with less in it or with another text, as far as its action allows. The edited call is a new version
 * with a digest of its own: the whole pipeline judges it, what was given for the version that was shown is void, and
 * this person's approval is the first for the new one. Throws `invalid` naming the argument for an edit too far,
 * `forbidden` for who may not decide it or see its content, by role or by a right that covers it, `conflict` as a decision does: of several at once one wins.
 */
export const editAndApprove = command({
  name: "approval.edit",
  callers: ["member"],
  permission: "approval:decide",
  input: editInput,
  run: edit,
});

async function edit(actor: MemberActor, input: EditInput): Promise<Decided> {
  if (!(await withOrgSql(actor.orgId, (q) => mayEdit(q, actor, input.id)))) {
    throw new AppError("forbidden", "Editing takes the right to see what is edited.", { reason: "not_permitted" });
  }
  const answering = { decision: "approve", digest: input.digest } as const;
  const prove = proofOnce(actor, input.password);
  const decisionId = newId("decision");
  const sealedReason = await sealReason(actor, decisionId, input.reason);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const asked = await loadShown(actor, input.id);
    await prove(answering, asked);
    await recheckShown(actor, answering, asked, { isReplaced: true });
    const { call, fields, readingMs } = await editedCall(actor.orgId, asked, input.arguments as JsonObject);
    const nonce = randomBytes(NONCE_BYTES);
    const checked = await recheck(actor.orgId, { ...asked.request, nonce }, call);
    if (checked.kind === "refused") throw await refused(actor, answering, asked, blocked(checked));
    // An edit may be what makes it high risk.
    await prove(answering, { ...asked, request: { ...asked.request, risk: checked.call.classification.risk } });
    const sealed = await sealJson(actor.orgId, asked.request.id, "arguments", call.json);
    const decision = { ...answering, id: input.id, decisionId, sealedReason };
    const decided = await recordDecision(actor, decision, asked, checked, { nonce, sealed, fields, readingMs });
    if (decided.kind === "refused") throw await refused(actor, answering, asked, decided.error);
    if (decided.kind === "decided") {
      await wakeAll(actor.orgId, asked, decided.result);
      return decided.result;
    }
  }
  throw new AppError("unavailable", "The configuration kept changing, so nothing was decided. Try again.", {
    retryAfterS: 1,
  });
}

type Edited = Pick<Edit, "fields" | "readingMs"> & { readonly call: ParsedCall };

/** The edited call, if it fits its action and goes no further than the action allows. */
async function editedCall(orgId: string, { request }: Asked, after: JsonObject): Promise<Edited> {
  const { action, json: before, note } = await openCall(orgId, request);
  const call = parseCall(request.action, after, note);
  const refusal = refuseEdit(action.edits, before, call.json);
  if (refusal !== null) throw invalid(`arguments.${refusal.field}`, refusal.rule);
  const fields = changesBetween(before, call.json).map(({ field }) => field);
  if (fields.length === 0) throw invalid("arguments", "nothing_edited");
  return { call, fields, readingMs: leastReadingMs(before) };
}

const invalid = (field: string, rule: Parameters<typeof explainRule>[0]) =>
  new AppError("invalid", `${field}: ${explainRule(rule)}.`, { reason: rule, field });

async function wakeAll(orgId: string, { request, approval }: Asked, decided: Decided): Promise<void> {
  const asked = { request, approval: { ...approval, id: decided.id } };
  if (decided.status !== "pending") return wakeFor(orgId, asked, decided);
  await wake(approvalRequested.create({ organizationId: orgId, approvalId: decided.id, requestId: request.id }));
}
