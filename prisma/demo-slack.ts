import type { SeededPerson } from "@/prisma/demo-people";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { DEMO_BOT_TOKEN } from "@/server/cli/demo/slack-workspace";
import { connectSlack } from "@/server/services/slack/connect";
import { createLinkCode, redeemLinkCode } from "@/server/services/slack/link";
import { systemActor } from "@/server/services/system-actor";

type People = Readonly<Record<"owner" | "admin" | "approver" | "member", SeededPerson>>;

/** Connects the demo's own Slack and links its people by codes of their own. U_STRANGER is linked to nobody. */
export async function seedSlack({ owner, admin, approver, member }: People): Promise<void> {
  const { teamId } = await connectSlack(admin.actor, { token: DEMO_BOT_TOKEN, channelId: DEMO_CHANNEL });
  const users = { U_OWNER: owner, U_ADMIN: admin, U_APPROVER: approver, U_MEMBER: member };
  for (const [userId, person] of Object.entries(users)) {
    const { code } = await createLinkCode(person.actor, {});
    await redeemLinkCode(systemActor(person.actor.orgId, "demo"), { teamId, userId, code });
  }
}
