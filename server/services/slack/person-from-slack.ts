import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { auditSql } from "@/server/services/audit/record";
import { databaseNow } from "@/server/services/identity/create-organization";
import { identify, type SlackPerson, type SlackPurpose } from "@/server/services/slack/identify";

/** Who typed or opened something in Slack, with why Slack says that it is nobody who may, such as a guest. */
export type SlackCaller = SlackPerson & { readonly objection: string | null };

/** The member behind them, read now. Throws AppError `slack_not_admitted` and those of `identify`. */
export async function memberFromSlack(caller: SlackCaller, purpose: SlackPurpose): Promise<MemberActor> {
  if (caller.objection !== null) {
    throw new AppError("forbidden", caller.objection, { reason: "slack_not_admitted" });
  }
  return identify(caller, purpose);
}

type Asked = { readonly command: string; readonly purpose: SlackPurpose };

/** Does for a person of Slack what a command asks for. Every refusal is in the log. Throws AppError. */
export async function asMember<R>(
  caller: SlackCaller,
  { command, purpose }: Asked,
  run: (actor: MemberActor) => Promise<R>,
): Promise<R> {
  let actor: MemberActor | null = null;
  try {
    actor = await memberFromSlack(caller, purpose);
    return await run(actor);
  } catch (error) {
    if (error instanceof AppError) await recordRefusal(caller, actor, { command, code: error.reason });
    throw error;
  }
}

type Refusal = { readonly command: string; readonly code: string };

async function recordRefusal(
  { orgId, teamId, userId }: SlackCaller,
  actor: MemberActor | null,
  fields: Refusal,
): Promise<void> {
  await withOrgSql(orgId, async (q) =>
    auditSql(q, {
      type: "slack.command_refused",
      actor: actor ?? { kind: "anonymous" },
      at: await databaseNow(q),
      fields,
      personal: { address: `${teamId}/${userId}` },
    }),
  );
}
