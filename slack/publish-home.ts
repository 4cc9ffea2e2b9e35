import type { WebClient } from "@slack/web-api";
import { AppError } from "@/server/domain/errors";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { listDeciders } from "@/server/services/slack/deciders";
import { readHome } from "@/server/services/slack/home-facts";
import type { SlackPerson } from "@/server/services/slack/identify";
import { memberFromSlack } from "@/server/services/slack/person-from-slack";
import { openWorkspace } from "@/server/services/slack/workspaces";
import { systemActor } from "@/server/services/system-actor";
import { objectionTo } from "@/slack/admit";
import { closedHome, type HomeView, homeView } from "@/slack/views/home";
import { webClient } from "@/slack/web-client";

const NO_QUEUE = "Your role does not decide. Approvers and admins find here what waits for them.";

/** Shows a person their queue as it is now. Never throws: it is shown anew whenever they open it. */
export async function publishHome(client: WebClient, person: SlackPerson): Promise<void> {
  try {
    const view = await viewFor(client, person);
    await client.views.publish({ user_id: person.userId, view: view as never });
  } catch (error) {
    log.warn(errorFields(error), "somebody's home in Slack was not brought up to date");
  }
}

async function viewFor(client: WebClient, person: SlackPerson): Promise<HomeView> {
  const { PUBLIC_URL: url } = env();
  try {
    const objection = await objectionTo(client, person.teamId, person.userId);
    const actor = await memberFromSlack({ ...person, objection }, "home");
    if (!actor.permissions.has("approval:decide")) return closedHome(NO_QUEUE, url);
    return homeView(await readHome(actor, {}), url);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return closedHome(error.message, url);
  }
}

/** The homes of those who decided an approval, once it is over. Never throws. */
export async function refreshHomes(orgId: string, approvalId: string): Promise<void> {
  const actor = systemActor(orgId, "slack-homes");
  try {
    for (const { teamId, userId } of await listDeciders(actor, { approvalId })) {
      const { token } = await openWorkspace(actor, { teamId });
      await publishHome(webClient(token.expose()), { orgId, teamId, userId });
    }
  } catch (error) {
    log.warn(errorFields(error), "the homes of those who decided were not brought up to date");
  }
}
