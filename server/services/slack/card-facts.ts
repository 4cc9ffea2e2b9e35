import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { Risk } from "@/server/domain/action";
import { findAction } from "@/server/domain/actions/registry";
import { idOf } from "@/server/domain/ids";
import type { JsonValue } from "@/server/domain/json";
import type { SlackMaxRisk } from "@/server/domain/slack-risk";
import { DENIALS, type DenyCode } from "@/server/domain/verdict";
import { blockedNow } from "@/server/services/approvals/blocked-now";
import { type OwnRequest, ownRequestOf } from "@/server/services/approvals/own-request";
import { type ApprovalRow, readApprovals, readUndoSeconds } from "@/server/services/approvals/read-model";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { openJson } from "@/server/services/gateway/content";
import { readSlackMaxRisk } from "@/server/services/slack/max-risk";
import { openPhrase, readSealedPhrase } from "@/server/services/slack/phrase";

/** An approval as a card shows it: content, for the channel that an admin chose. */
export type CardFacts = {
  readonly approvalId: string;
  readonly digest: string;
  readonly status: string;
  readonly action: string;
  readonly risk: Risk;
  /** The highest risk that the organization lets people approve in Slack. */
  readonly slackMaxRisk: SlackMaxRisk;
  /** The organization's own words, by which people know a card of ours. */
  readonly phrase: string | null;
  readonly agentName: string;
  readonly ownerName: string;
  readonly connectionName: string;
  readonly provider: string;
  readonly account: string;
  readonly arguments: JsonValue;
  /** The agent's own words. */
  readonly note: string | null;
  /** What it reaches that this agent has not reached before over this connection. */
  readonly newTargets: readonly string[];
  readonly reasons: readonly string[];
  readonly blocked: string | null;
  /** Whether who asked may decide it, or did. */
  readonly ownRequest: OwnRequest | null;
  readonly labels: readonly string[];
  readonly price: { readonly micros: bigint; readonly currency: string } | null;
  readonly isIrreversible: boolean;
  readonly undoSeconds: number;
  readonly isHeld: boolean;
  /** Null where it does not expire. */
  readonly expiresAt: Date | null;
  readonly decidedAt: Date | null;
  readonly requiredPeople: number;
  readonly requiredRole: string;
  readonly given: number;
  readonly decisions: readonly { readonly name: string; readonly decision: string; readonly at: Date }[];
};

async function blockedBy(orgId: string, { id, status, blocked_check: check, blocked_code: code }: ApprovalRow) {
  if (code === null) return null;
  const was = { check: check ?? "", code, message: DENIALS[code as DenyCode] ?? "A check refuses it at the moment." };
  const now = status === "pending" ? await blockedNow(orgId, id, was) : was;
  return now?.message ?? null;
}

function undoOf(row: ApprovalRow, wishS: number): number {
  const undo = findAction(row.action)?.undo;
  return undo ? Math.min(undo.maxS, Math.max(undo.minS, wishS)) : 0;
}

type Content = Pick<CardFacts, "arguments" | "note" | "newTargets">;

async function contentOf(orgId: string, row: ApprovalRow): Promise<Content> {
  const [args, note] = await Promise.all([
    row.sealed_arguments ? openJson(orgId, row.request_id, "arguments", row.sealed_arguments) : null,
    row.sealed_note ? openJson(orgId, row.request_id, "note", row.sealed_note) : null,
  ]);
  return { arguments: args, note: typeof note === "string" ? note : null, newTargets: newTargetsOf(row, args) };
}

function newTargetsOf({ action: name, seen }: ApprovalRow, args: JsonValue): readonly string[] {
  const action = findAction(name);
  const parsed = action?.parse(args);
  if (!action || !parsed?.ok) return [];
  return action.classify(parsed.args, () => false).targets.filter((target) => !seen.includes(target));
}

const priceOf = ({ price_micros, price_currency }: ApprovalRow): CardFacts["price"] =>
  price_micros === null || price_currency === null ? null : { micros: BigInt(price_micros), currency: price_currency };

/** Reads an approval for its card. */
export const readCard = command({
  name: "slack.read_card",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: async (actor, { approvalId }): Promise<CardFacts> => {
    const { row, undoS, slackMaxRisk, sealedPhrase } = await withOrgSql(actor.orgId, async (q) => {
      const [found] = await readApprovals(q, null, "a.id = $2", [approvalId]);
      const set = { slackMaxRisk: await readSlackMaxRisk(q), sealedPhrase: await readSealedPhrase(q) };
      return { row: found, undoS: await readUndoSeconds(q), ...set };
    });
    if (row === undefined) throw notFound("approval");
    return {
      ...(await contentOf(actor.orgId, row)),
      approvalId,
      digest: row.digest.toString("hex"),
      status: row.status,
      action: row.action,
      risk: row.risk,
      slackMaxRisk,
      phrase: await openPhrase(actor.orgId, sealedPhrase),
      agentName: row.agent_name,
      ownerName: row.owner_name,
      connectionName: row.connection_name,
      provider: row.provider,
      account: row.account,
      reasons: row.reasons.map(({ text }) => text),
      blocked: await blockedBy(actor.orgId, row),
      ownRequest: ownRequestOf(row),
      labels: row.labels,
      price: priceOf(row),
      isIrreversible: row.is_irreversible,
      undoSeconds: undoOf(row, undoS),
      isHeld: row.is_held,
      expiresAt: row.expires_at,
      decidedAt: row.decided_at,
      requiredPeople: row.required_people,
      requiredRole: row.required_role,
      given: row.given.filter(({ decision }) => decision === "approve").length,
      decisions: row.given.map(({ name, decision, at }) => ({ name, decision, at: new Date(at) })),
    };
  },
});
