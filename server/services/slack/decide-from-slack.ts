import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import { digestSchema } from "@/server/domain/digest";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { mayApproveInSlack } from "@/server/domain/slack-risk";
import { decideApproval } from "@/server/services/approvals/decide";
import type { Decided } from "@/server/services/approvals/insert-decision";
import { auditSql } from "@/server/services/audit/record";
import { identify, type SlackPerson } from "@/server/services/slack/identify";
import { readSlackMaxRisk } from "@/server/services/slack/max-risk";

/** What a button of ours names. */
export const buttonValueSchema = z.strictObject({ approval: idOf("approval"), digest: digestSchema });
export type ButtonValue = z.output<typeof buttonValueSchema>;

export type Press = SlackPerson & {
  readonly channelId: string;
  readonly value: ButtonValue;
  readonly decision: "approve" | "reject";
  readonly reason?: string;
  /** Why Slack says that this person is none who may decide, such as a guest. */
  readonly objection: string | null;
  /** Whether others than the organization's approvers may read the channel now. */
  readonly isOpenChannel: boolean;
};

const refusal = (reason: string, message: string) => new AppError("forbidden", message, { reason });

/** The decision itself records what it refuses, but for what its door refuses before it looks. */
const RECORDED_ELSEWHERE = (error: AppError) => !["not_permitted", "wrong_caller", "invalid"].includes(error.reason);

/**
 * A press of a button, or of the reason's dialog: the person is read now, the card must be one of ours in this very
 * channel, and the decision goes through the same command as everywhere. Every refusal is in the log. Throws AppError.
 */
export async function decideFromSlack(press: Press): Promise<Decided> {
  const actor = await admitted(press);
  const { value, decision, reason } = press;
  const input = { id: value.approval, digest: value.digest, decision, ...(reason === undefined ? {} : { reason }) };
  try {
    return await decideApproval(actor, input);
  } catch (error) {
    if (error instanceof AppError && !RECORDED_ELSEWHERE(error)) await record(press, actor, error);
    throw error;
  }
}

/** Whoever could not decide is told so before they are asked for a reason. Throws AppError. */
export async function admitted(press: Press): Promise<MemberActor> {
  let actor: MemberActor | null = null;
  try {
    if (press.objection !== null) throw refusal("slack_not_admitted", press.objection);
    actor = await identify(press, "press");
    if (!actor.permissions.has("approval:decide")) {
      throw refusal("not_permitted", "Nothing was decided. Your role does not decide: ask an approver or an admin.");
    }
    await requireCard(press);
    return actor;
  } catch (error) {
    if (error instanceof AppError) await record(press, actor, error);
    throw error;
  }
}

async function requireCard({ orgId, teamId, channelId, isOpenChannel, value, decision }: Press): Promise<void> {
  const { card, highest } = await withOrgSql(orgId, async (q) => {
    const { rows } = await q.query<{ readonly risk: string }>(
      `SELECT r.risk FROM slack_card c JOIN approval a ON a.org_id = c.org_id AND a.id = c.approval_id
       JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
       WHERE c.approval_id = $1 AND c.team_id = $2 AND c.channel_id = $3`,
      [value.approval, teamId, channelId],
    );
    return { card: rows[0], highest: await readSlackMaxRisk(q) };
  });
  if (card === undefined) throw refusal("slack_no_card", "Nothing was decided. This is not a card of ours.");
  if (isOpenChannel) {
    throw refusal(
      "slack_open_channel",
      "Nothing was decided. This channel is public or shared by now: decide in the web app.",
    );
  }
  if (decision === "reject") return;
  const risk = riskSchema.parse(card.risk);
  if (risk === "high") throw refusal("slack_high_risk", "Nothing was decided. High risk is approved in the web app.");
  if (!mayApproveInSlack(risk, highest)) {
    throw refusal(
      "slack_risk_limit",
      "Nothing was decided. Your organization lets Slack approve low risk only: approve it in the web app.",
    );
  }
}

async function record(press: Press, actor: MemberActor | null, error: AppError): Promise<void> {
  const { orgId, teamId, userId, value, decision } = press;
  await withOrgSql(orgId, async (q) => {
    const { rows } = await q.query<{ now: Date; known: boolean }>(
      "SELECT clock_timestamp() AS now, EXISTS (SELECT 1 FROM approval WHERE id = $1) AS known",
      [value.approval],
    );
    await auditSql(q, {
      type: "approval.refused",
      actor: actor ?? { kind: "anonymous" },
      at: rows[0]?.now ?? new Date(),
      fields: { approval: rows[0]?.known ? value.approval : "unknown", code: error.reason, decision },
      personal: { address: `${teamId}/${userId}` },
    });
  });
}
