import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { findAction } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import type { JsonValue } from "@/server/domain/json";
import { type ShadowMatch, shadowMatchesSchema } from "@/server/domain/shadow";
import type { Standing } from "@/server/domain/standing";
import { command } from "@/server/services/command";
import { openJson } from "@/server/services/gateway/content";
import { withoutContent } from "@/server/services/requests/answer";
import { type EditView, openEdits, withheldEdits } from "@/server/services/requests/edits";
import { readOwnRequest } from "@/server/services/requests/own-request";
import { findRequest } from "@/server/services/requests/request-state";
import { readStanding } from "@/server/services/requests/standing";
import { readTimeline, type TimelineEntry } from "@/server/services/requests/timeline";

const relations = {
  agent: { select: { id: true, name: true, owner: { select: { id: true, name: true } } } },
  connection: { select: { id: true, name: true, provider: true, account: true } },
  session: { select: { id: true, reference: true, labels: true } },
  takenUpFrom: { select: { id: true } },
  compensates: { select: { id: true, status: true } },
  compensatedBy: { select: { id: true, status: true }, orderBy: { id: "asc" }, take: 20 },
  takenUpBy: { select: { id: true, name: true } },
  takenUpAs: { select: { id: true, takenUpBy: { select: { id: true, name: true } } } },
  edits: {
    orderBy: { editedAt: "asc" },
    select: { requestId: true, editedAt: true, sealedArguments: true, member: { select: { name: true } } },
  },
  approvalsAsRequest: { orderBy: { createdAt: "asc" } },
} as const;

const find = (tx: OrgTx, orgId: string, id: string) =>
  tx.toolRequest.findUnique({ where: { orgId_id: { orgId, id } }, include: relations });
type Row = NonNullable<Awaited<ReturnType<typeof find>>>;

/** One request as people see it: the exact call, what came of it, and everything the log says of it, in order. */
export const describeToolRequest = command({
  name: "tool_request.describe",
  callers: ["member"],
  permission: "request:read",
  input: z.strictObject({ id: idOf("toolRequest") }),
  run: async (actor, { id }) => {
    const { row, timeline, ownRequest } = await withOrg(actor.orgId, async (tx) => ({
      row: await find(tx, actor.orgId, id),
      timeline: await readTimeline(tx, id),
      ownRequest: await readOwnRequest(tx, id),
    }));
    if (row === null) throw new AppError("not_found", "There is no such request.");
    const [content, edits, standing] = await Promise.all([
      openContent(actor, row),
      editsOf(actor, row),
      standingFor(actor, id),
    ]);
    return { ...toDetail(actor, row, timeline, content), edits, ownRequest, standing };
  },
});

async function standingFor(actor: MemberActor, id: string): Promise<Standing> {
  const state = await findRequest(actor.orgId, id);
  if (state === null) throw new AppError("not_found", "There is no such request.");
  const standing = await readStanding(actor.orgId, state);
  return actor.permissions.has("content:read") ? standing : withoutContent(standing);
}

type Content = { readonly arguments: JsonValue; readonly note: JsonValue; readonly result: JsonValue };

async function openContent(actor: MemberActor, row: Row): Promise<Content> {
  const open = async (kind: keyof Content, sealed: Uint8Array | null): Promise<JsonValue> =>
    sealed === null || !actor.permissions.has("content:read") ? null : openJson(actor.orgId, row.id, kind, sealed);
  const [args, note, result] = await Promise.all([
    open("arguments", row.sealedArguments),
    open("note", row.sealedNote),
    open("result", row.sealedResult),
  ]);
  return { arguments: args, note, result };
}

async function editsOf(actor: MemberActor, row: Row): Promise<EditView[]> {
  const edits = row.edits.map((edit) => ({
    request_id: edit.requestId,
    name: edit.member.name,
    edited_at: edit.editedAt,
    sealed_arguments: Buffer.from(edit.sealedArguments),
  }));
  return actor.permissions.has("content:read")
    ? openEdits(actor.orgId, row.id, edits, row.sealedArguments)
    : withheldEdits(edits);
}

const takenUpPart = (row: Row) => ({
  takenUpFrom: row.takenUpFrom?.id ?? null,
  takenUpBy: row.takenUpBy ?? row.takenUpAs?.takenUpBy ?? null,
  takenUpAs: row.takenUpAs?.id ?? null,
});

const shadowOf = ({ shadowMatches }: Row): readonly ShadowMatch[] =>
  shadowMatches === null ? [] : shadowMatchesSchema.parse(shadowMatches);

function toDetail(actor: MemberActor, row: Row, timeline: TimelineEntry[], content: Content) {
  const action = findAction(row.action);
  return {
    id: row.id,
    action: row.action,
    summary: action?.summary ?? "",
    status: row.status,
    version: row.version,
    risk: row.risk,
    effect: row.effect,
    isOutward: row.isOutward,
    isIrreversible: row.isIrreversible,
    isProposal: row.isProposal,
    ...takenUpPart(row),
    compensates: row.compensates,
    compensatedBy: row.compensatedBy,
    isContentWithheld: !actor.permissions.has("content:read"),
    hasArguments: row.sealedArguments !== null,
    ...content,
    digest: row.digest === null ? null : Buffer.from(row.digest).toString("hex"),
    shadow: shadowOf(row),
    denied: row.deniedCode === null ? null : { check: row.deniedCheck ?? "", code: row.deniedCode },
    blocked: row.blockedCode === null ? null : { check: row.blockedCheck ?? "", code: row.blockedCode },
    errorCode: row.errorCode,
    price: row.priceMicros === null ? null : { micros: row.priceMicros.toString(), currency: row.priceCurrency ?? "" },
    agent: row.agent,
    connection: row.connection,
    session: row.session,
    credential: row.credentialId === null ? null : { id: row.credentialId, version: row.credentialVersion ?? 0 },
    grant: row.grantId === null ? null : { id: row.grantId, version: row.grantVersion ?? 0 },
    approvals: row.approvalsAsRequest.map((approval) => ({
      id: approval.id,
      status: approval.status,
      createdAt: approval.createdAt,
      expiresAt: approval.expiresAt,
      decidedAt: approval.decidedAt,
      requiredRole: approval.requiredRole,
      requiredPeople: approval.requiredPeople,
    })),
    createdAt: row.createdAt,
    runsAt: row.runsAt,
    claimedAt: row.claimedAt,
    finishedAt: row.finishedAt,
    timeline,
  };
}
