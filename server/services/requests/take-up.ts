import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { AgentActor, MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { permissionsOfAgents } from "@/server/domain/permission";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { type Recheck, recheck } from "@/server/services/gateway/recheck";
import { type Answer, refusal } from "@/server/services/requests/answer";
import { alreadyTakenUp } from "@/server/services/requests/mark-taken-up";
import { recordPending } from "@/server/services/requests/record-pending";
import { readRequest, type StoredRequest } from "@/server/services/requests/stored-request";

const MAX_ROUNDS = 8;

/**
 * A person takes up what an agent proposed. The stored call passes the whole pipeline as if the agent asked now, and
 * becomes a request that waits for somebody else: who took it up counts as having asked. Once: of several at the same
 * time one wins. Throws `conflict` for what is no proposal or was taken up, `refused` where a check refuses; a proposal
 * that was refused stays and may be tried again.
 */
export const takeUpProposal = command({
  name: "proposal.take_up",
  callers: ["member"],
  permission: "proposal:take_up",
  input: z.strictObject({ id: idOf("toolRequest") }),
  run: takeUp,
});

type Proposal = { readonly request: StoredRequest; readonly agent: AgentActor };

async function takeUp(actor: MemberActor, { id }: { id: string }): Promise<Answer> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { request, agent } = await loadProposal(actor.orgId, id);
    const checked = await recheck(actor.orgId, { ...request, isTakenUp: true });
    if (checked.kind === "refused") throw await refused(actor, request, checked);
    if (checked.reasons.length === 0) throw new Error("what a person takes up asks another");
    const { facts, call, reasons } = checked;
    const takenUp = { proposalId: id, by: actor };
    const recorded = await recordPending({ actor: agent, facts, call, idempotency: null, takenUp }, reasons);
    if (recorded.kind === "recorded") return recorded.answer;
  }
  throw new AppError("unavailable", "The configuration kept changing, so nothing was taken up. Try again.", {
    retryAfterS: 1,
  });
}

type Row = {
  is_open: boolean;
  taken_up_at: Date | null;
  name: string;
  owner_id: string;
  issued_by: string;
};

const FIND = `SELECT r.is_proposal AND r.status = 'denied' AS is_open, r.taken_up_at, g.name, g.owner_id, k.issued_by FROM tool_request r
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
  WHERE r.org_id = app.org_id() AND r.id = $1`;

/** The proposal, and the agent that made it, under the key that it made it with. */
async function loadProposal(orgId: string, id: string): Promise<Proposal> {
  const { request, row } = await withOrgSql(orgId, async (q) => ({
    request: await readRequest(q, id),
    row: (await q.query<Row>(FIND, [id])).rows[0],
  }));
  if (request === null || row === undefined) throw new AppError("not_found", "There is no such request.");
  if (!row.is_open) throw new AppError("conflict", "This is not a proposal.", { reason: "not_a_proposal" });
  if (row.taken_up_at !== null) throw alreadyTakenUp();
  if (request.sealedArguments === null) {
    throw new AppError("conflict", "Its arguments were not kept, so it cannot be taken up.", {
      reason: "nothing_stored",
    });
  }
  const agent: AgentActor = {
    kind: "agent",
    orgId,
    agentId: request.agentId,
    name: row.name,
    ownerId: row.owner_id,
    issuedBy: row.issued_by,
    credentialId: request.keyId,
    permissions: permissionsOfAgents(),
  };
  return { request, agent };
}

/** An attempt that came to nothing is recorded all the same. */
async function refused(
  actor: MemberActor,
  { id, action, agentId, sessionId }: StoredRequest,
  { facts, check, denial }: Extract<Recheck, { kind: "refused" }>,
): Promise<AppError> {
  await withOrgSql(actor.orgId, (q) =>
    auditSql(q, {
      type: "proposal.refused",
      actor,
      at: facts.now,
      requestId: id,
      agentId,
      sessionId,
      fields: { action, check, code: denial.code },
    }),
  );
  if (denial.code !== "recorded_as_proposal") return refusal(id, check, denial.code, denial);
  const message = "Not taken up: effects are off in read-only mode. An admin can switch it off.";
  return new AppError("refused", message, { reason: "read_only", extra: { check, id } });
}
