import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { pauseAgent } from "@/server/services/agents/pause";
import { resumeAgent } from "@/server/services/agents/resume";
import { command } from "@/server/services/command";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { asMember, type SlackCaller } from "@/server/services/slack/person-from-slack";

export const AGENT_MOVES = ["pause", "resume"] as const;

/** What a person wants to stop or let go on: the dialog holds it until the reason is given. */
export const controlAskedSchema = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("freeze") }),
  z.strictObject({ what: z.enum(AGENT_MOVES), agent: idOf("agent") }),
]);
export type ControlAsked = z.output<typeof controlAskedSchema>;

export type AgentNamed = { readonly id: string; readonly name: string };

const MAX_TYPED = 300;

/** Slack writes these three as entities in what people type. */
const asTyped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** The one agent of exactly this id or name. Throws `not_found`. */
const findAgentForControl = command({
  name: "slack.find_agent",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ typed: z.string().min(1).max(MAX_TYPED) }),
  run: async (actor, { typed }): Promise<AgentNamed> => {
    const { rows } = await withOrgSql(actor.orgId, (q) =>
      q.query<{ id: string; name: string }>(
        "SELECT id, name FROM agent WHERE id = $1 OR name = $1 OR name = $2 ORDER BY id LIMIT 2",
        [typed, asTyped(typed)],
      ),
    );
    const [agent, another] = rows;
    if (agent === undefined || another !== undefined) {
      throw new AppError("not_found", "Nothing was done. There is no agent of exactly this name or id.");
    }
    return agent;
  },
});

/** The agent that a person named, if they may stop it. Throws AppError. */
export const agentFromSlack = (caller: SlackCaller, move: string, typed: string): Promise<AgentNamed> =>
  asController(caller, move, (actor) => findAgentForControl(actor, { typed }));

/** Whether a person may freeze, before they are asked why. Throws AppError. */
export const mayFreezeFromSlack = (caller: SlackCaller): Promise<void> =>
  asController(caller, "freeze", async () => undefined);

/** Stops or lets go on, by the commands of the web app, with the role of this moment. Throws AppError. */
export const controlFromSlack = (caller: SlackCaller, asked: ControlAsked, reason: string): Promise<void> =>
  asController(caller, asked.what, (actor) => move(actor, asked, reason));

/** The commands refuse as well; this says so in words that fit here, before a dialog opens. */
const asController = <R>(caller: SlackCaller, named: string, run: (actor: MemberActor) => Promise<R>): Promise<R> =>
  asMember(caller, { command: named, purpose: "control" }, async (actor) => {
    if (actor.permissions.has("control:activate")) return run(actor);
    throw new AppError("forbidden", "Nothing was done. This takes the role admin or owner.", {
      reason: "not_permitted",
    });
  });

async function move(actor: MemberActor, asked: ControlAsked, reason: string): Promise<void> {
  switch (asked.what) {
    case "freeze":
      await activateKillSwitch(actor, { level: "freeze", reason });
      return;
    case "pause":
      await pauseAgent(actor, { id: asked.agent, reason });
      return;
    case "resume":
      await resumeAgent(actor, { id: asked.agent, reason });
      return;
  }
}
