import type { SeededPerson } from "@/prisma/demo-people";
import { DEMO_ALERTS_CHANNEL, DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { DEMO_BOT_TOKEN } from "@/server/cli/demo/slack-workspace";
import { withOrgSql } from "@/server/db/with-org";
import { chooseAlertsChannel } from "@/server/services/slack/alerts-channel";
import { connectSlack } from "@/server/services/slack/connect";
import { listSlackWorkspaces } from "@/server/services/slack/list-workspaces";
import { storeLink } from "@/server/services/slack/store-link";
import { systemActor } from "@/server/services/system-actor";

type People = Readonly<Record<"owner" | "admin" | "approver" | "member", SeededPerson>>;

/**
 * Connects the demo's own Slack, with a channel for alerts, in which the demo's people are known. U_STRANGER is linked to
 * nobody.
 */
export async function seedSlack({ owner, admin, approver, member }: People): Promise<void> {
  const { teamId } = await connectSlack(admin.actor, { token: DEMO_BOT_TOKEN, channelId: DEMO_CHANNEL });
  const { items } = await listSlackWorkspaces(admin.actor, {});
  const version = items.find((workspace) => workspace.teamId === teamId)?.version ?? 0;
  await chooseAlertsChannel(admin.actor, { teamId, version, channelId: DEMO_ALERTS_CHANNEL });
  const users = { U_OWNER: owner, U_ADMIN: admin, U_APPROVER: approver, U_MEMBER: member };
  for (const [userId, { actor }] of Object.entries(users)) {
    const link = { teamId, userId, memberId: actor.memberId, at: new Date() };
    await withOrgSql(actor.orgId, (q) => storeLink(q, systemActor(actor.orgId, "demo"), link));
  }
}
