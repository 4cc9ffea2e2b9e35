import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { type ApproverSafetyView, readApproverSafety } from "@/server/services/approver-safety/get";
import { audit } from "@/server/services/audit/record";
import { changesOf } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile } from "@/server/services/failures";

const inputSchema = z.strictObject({
  /** The version that was read; 0 where nothing was ever set. */
  version: z.int().min(0),
  ownerDecidesOwn: z.boolean(),
});
type Input = z.output<typeof inputSchema>;

/**
 * Changes what the organization sets about its approvers. That an owner decides what they asked is switched on by an
 * owner alone, signed in; anybody who manages the organization may switch it off. Throws `forbidden`, `conflict`.
 */
export const changeApproverSafety = command({
  name: "approver_safety.change",
  callers: ["member"],
  permission: "organization:manage",
  input: inputSchema,
  run: (actor, input) => withOrg(actor.orgId, (tx) => change(tx, actor, input)),
});

async function change(tx: OrgTx, actor: MemberActor, { version, ownerDecidesOwn }: Input): Promise<ApproverSafetyView> {
  await holdClaims(tx);
  if (ownerDecidesOwn) await requireOwner(tx, actor);
  const { isOwnerAlone: _now, version: current, ...before } = await readApproverSafety(tx);
  if (current !== version) throw changedMeanwhile("approver_safety");
  const fields = { ownerDecidesOwn };
  // The control lock is held, so nobody else is between reading and writing.
  await tx.approverSafety.upsert({
    where: { orgId: tx.orgId },
    create: { orgId: tx.orgId, ...fields },
    update: { ...fields, version: { increment: 1 } },
  });
  const changes = { ...changesOf(before, fields), version: version + 1 };
  await audit(tx, { type: "approver_safety.changed", actor, at: tx.now, fields: changes });
  return readApproverSafety(tx);
}

/** The role of this moment; a token that leaked switches nothing on. */
async function requireOwner(tx: OrgTx, actor: MemberActor): Promise<void> {
  const owner = await tx.member.findFirst({ where: { id: actor.memberId, role: "owner", disabledAt: null } });
  if (owner !== null && actor.via === "sign_in") return;
  throw new AppError("forbidden", "Only an owner, signed in, lets an owner decide what they asked.", {
    reason: "role_required",
    field: "ownerDecidesOwn",
  });
}
