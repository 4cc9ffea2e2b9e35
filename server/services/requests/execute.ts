import { z } from "zod";
import { approvalRequested } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { withOrgSql } from "@/server/db/with-org";
import type { SystemActor } from "@/server/domain/actor";
import { type ReturnCode, satisfies } from "@/server/domain/approval-reasons";
import type { AuditEntry } from "@/server/domain/audit";
import { idOf } from "@/server/domain/ids";
import { CLAIM_WINDOW_S } from "@/server/domain/tool-request";
import { type Honoured, honouredDecisions } from "@/server/services/approvals/honoured";
import { auditJson } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { shareClaimsSql } from "@/server/services/controls/lock";
import { isStopped } from "@/server/services/controls/return-stopped";
import { type ClaimResult, claim } from "@/server/services/gateway/claim";
import { type Recheck, recheck } from "@/server/services/gateway/recheck";
import { runClaimed } from "@/server/services/gateway/run-claimed";
import { callFields, grantFields, priceFields } from "@/server/services/requests/call-fields";
import { type Return, returnToQueue } from "@/server/services/requests/return-to-queue";
import {
  readApproval,
  readRequest,
  type StoredApproval,
  type StoredRequest,
} from "@/server/services/requests/stored-request";

/** What became of a due request. `ran`: it was claimed and settled. `returned`: people are asked again. `skipped`: not due, or taken. */
export type Execution = "ran" | "returned" | "skipped";

const MAX_ROUNDS = 8;

/** Runs a request that is due: everything is checked again, then claimed, then performed. Safe to call at any time, any number of times. */
export const executeRequest = command({
  name: "tool_request.execute",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ requestId: idOf("toolRequest") }),
  run: execute,
});

type Found = {
  readonly request: StoredRequest;
  readonly approval: StoredApproval | null;
  /** Longer due than a decision is good for. */
  readonly isLate: boolean;
};
type Due = Found & { readonly honoured: Honoured };

type Passed = Extract<Recheck, { kind: "passed" }>;

async function execute(actor: SystemActor, { requestId }: { requestId: string }): Promise<Execution> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const found = await loadDue(actor.orgId, requestId);
    if (found === null) return "skipped";
    const checked = await recheck(actor.orgId, found.request);
    const due = { ...found, honoured: await honouredOf(actor.orgId, found) };
    const back = whyNot(actor, due, checked) ?? (await whyStopped(actor, due, checked));
    if (back !== null) return sendBack(actor, back);
    if (checked.kind !== "passed") throw new Error("a refusal sends it back");
    const done = await claimAndRun(actor, due, checked);
    if (done !== "again") return done;
  }
  return "skipped";
}

/** The request if its time has come, with what was decided about it. */
function loadDue(orgId: string, requestId: string): Promise<Found | null> {
  return withOrgSql(orgId, async (q) => {
    const request = await readRequest(q, requestId);
    if (request === null || (request.status !== "ready" && request.status !== "scheduled")) return null;
    const { rows } = await q.query<{ is_late: boolean }>(
      `SELECT runs_at <= clock_timestamp() - make_interval(secs => $2::int) AS is_late FROM tool_request
       WHERE org_id = app.org_id() AND id = $1 AND runs_at <= clock_timestamp()`,
      [requestId, CLAIM_WINDOW_S],
    );
    if (rows[0] === undefined) return null;
    const approval = request.approvalId === null ? null : await readApproval(q, { id: request.approvalId });
    return { request, approval, isLate: rows[0].is_late };
  });
}

/**
 * What still counts of what was decided. Asked after the facts were loaded: whoever loses or comes to have authority
 * later moves the policy version, and the claim finds that.
 */
async function honouredOf(orgId: string, { request, approval }: Found): Promise<Honoured> {
  if (approval === null) return { approvers: [], isEnough: false };
  return withOrgSql(orgId, (q) => honouredDecisions(q, request, approval));
}

/** Why a due request must be asked again, or null where it may run. */
function whyNot(actor: SystemActor, due: Due, checked: Recheck): Return | null {
  const base = { requestId: due.request.id, actor, at: checked.facts.now };
  if (checked.kind === "refused") {
    const { check, denial } = checked;
    const isHeld = check === "controls";
    return { ...base, why: isHeld ? "held_by_control" : "blocked", blocked: { check, code: denial.code }, isHeld };
  }
  const why = whyVoid(due, checked);
  if (why === null) return null;
  return { ...base, why, reasons: checked.reasons, digest: checked.digest, grant: checked.grant };
}

/**
 * A freeze lets reads go on, but not what was decided before it. Asked after the facts were loaded: a switch thrown
 * later moves the policy version, and the claim finds that.
 */
async function whyStopped(actor: SystemActor, { request }: Due, { facts }: Recheck): Promise<Return | null> {
  if (facts.controls?.killLevel === null) return null;
  if (!(await withOrgSql(actor.orgId, (q) => isStopped(q, request.id)))) return null;
  return { requestId: request.id, actor, at: facts.now, why: "held_by_freeze", isHeld: true };
}

/** What makes a decision no longer count for the request as it stands. */
function whyVoid({ request, approval, honoured, isLate }: Due, checked: Passed): ReturnCode | null {
  if (isLate) return "not_claimed";
  if (checked.digest !== request.digest) return "changed";
  if (request.approvalId === null) return checked.reasons.length === 0 ? null : "stricter";
  if (approval === null || approval.status !== "approved" || approval.digest !== checked.digest) return "changed";
  if (!honoured.isEnough) return "authority_lost";
  return satisfies(approval.reasons, checked.reasons) ? null : "stricter";
}

async function sendBack(actor: SystemActor, back: Return): Promise<Execution> {
  const [returned] = await withOrgSql(actor.orgId, async (q) => {
    // What stops it is not lifted between looking and holding.
    if (back.isHeld) await shareClaimsSql(q);
    return returnToQueue(q, [back]);
  });
  if (returned === undefined) return "skipped";
  // Of what is held people are told when it is lifted.
  const { requestId, approvalId, isHeld } = returned;
  if (!isHeld) await wake(approvalRequested.create({ organizationId: actor.orgId, requestId, approvalId }));
  return "returned";
}

async function claimAndRun(actor: SystemActor, due: Due, checked: Passed): Promise<Execution | "again"> {
  const { facts, call, grant, digest } = checked;
  const { request, honoured } = due;
  const result = await claim({
    orgId: actor.orgId,
    requestId: request.id,
    facts,
    call,
    grant,
    row: { digest, approvalId: request.approvalId },
    audit: auditJson(actor.orgId, [startEntry(actor, due, checked)]),
  });
  if (result.kind !== "claimed") return notClaimed(actor, due, checked, result);
  await runClaimed({
    actor,
    requestId: request.id,
    facts,
    call,
    grant,
    claimed: result.claimed,
    approvers: honoured.approvers,
    isWatched: true,
  });
  return "ran";
}

function startEntry(actor: SystemActor, { request, honoured }: Due, checked: Passed): AuditEntry {
  const { facts } = checked;
  return {
    type: "request.started",
    actor,
    at: facts.now,
    requestId: request.id,
    agentId: request.agentId,
    personId: facts.agent.ownerId,
    sessionId: request.sessionId,
    credential: facts.credential?.id,
    approvers: honoured.approvers,
    fields: {
      ...callFields(checked),
      ...grantFields(checked.grant),
      ...priceFields(checked),
      digest: checked.digest,
      ...(request.approvalId === null ? {} : { approval: request.approvalId }),
      ...(facts.credential === null ? {} : { credentialVersion: facts.credential.version }),
    },
  };
}

function notClaimed(
  actor: SystemActor,
  { request }: Due,
  { facts }: Recheck,
  result: Exclude<ClaimResult, { kind: "claimed" }>,
): Promise<Execution | "again"> {
  const blocked = (check: "validation" | "reservation", code: "usage_limit" | "budget_spent") =>
    sendBack(actor, { requestId: request.id, actor, at: facts.now, why: "blocked", blocked: { check, code } });
  switch (result.kind) {
    case "stale":
      return Promise.resolve("again");
    case "usage_limit":
      return blocked("validation", "usage_limit");
    case "budget_spent":
      return blocked("reservation", "budget_spent");
    case "row_taken":
    case "duplicate":
      return Promise.resolve("skipped");
  }
}
