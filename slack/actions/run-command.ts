import type { AckFn, App, RespondArguments } from "@slack/bolt";
import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import { AppError } from "@/server/domain/errors";
import { env } from "@/server/env";
import {
  AGENT_MOVES,
  agentFromSlack,
  type ControlAsked,
  controlAskedSchema,
  controlFromSlack,
  mayFreezeFromSlack,
} from "@/server/services/slack/control-from-slack";
import type { SlackCaller } from "@/server/services/slack/person-from-slack";
import { userIdSchema } from "@/server/services/slack/slack-ids";
import { statusFromSlack } from "@/server/services/slack/status-facts";
import { wordsFor } from "@/slack/actions/answer";
import { objectionTo } from "@/slack/admit";
import { sentence } from "@/slack/card/blocks";
import type { Card } from "@/slack/card/card";
import { contextSchema, readJson, submissionSchema } from "@/slack/listen-context";
import { CONTROL_DIALOG, controlDialog } from "@/slack/views/control-dialog";
import { statusCard } from "@/slack/views/status";

const typedSchema = z.looseObject({
  user_id: userIdSchema,
  text: z.string().max(3_000).default(""),
  trigger_id: z.string().max(500).default(""),
});

type Typed =
  | { readonly word: "status" | "freeze" }
  | { readonly word: (typeof AGENT_MOVES)[number]; readonly agent: string };

/** What was typed after `/countersign`; null for whatever is no command of ours. */
function readTyped(text: string): Typed | null {
  const [, first = "", rest = ""] = /^\s*(\S+)\s*(.*?)\s*$/su.exec(text) ?? [];
  const word = first.toLowerCase();
  if ((word === "status" || word === "freeze") && rest === "") return { word };
  const move = AGENT_MOVES.find((one) => one === word);
  return move === undefined || rest === "" ? null : { word: move, agent: rest };
}

const help = (): string =>
  [
    "/countersign status: what is stopped and what waits",
    "/countersign pause <agent>, resume <agent>: by its exact name or id",
    "/countersign freeze: stops every agent",
    `You link yourself in Countersign, signed in there: ${env().PUBLIC_URL}/slack`,
  ].join("\n");

const plain = (text: string): Card => ({ text, blocks: [sentence(text.slice(0, 2_900))] });
const alone = ({ text, blocks }: Card): RespondArguments => ({
  response_type: "ephemeral",
  text,
  blocks: blocks as never,
});

type Raw = { readonly body: unknown; readonly context: unknown; readonly client: WebClient };

async function callerOf({ context, client }: Raw, userId: string): Promise<SlackCaller> {
  const installation = contextSchema.parse(context);
  const objection = await objectionTo(client, installation.teamId, userId);
  return { ...installation, userId, objection };
}

/** Answers what can be answered at once; opens the dialog that asks why for the rest. Nothing is stopped yet. */
async function runTyped(raw: Raw): Promise<Card | null> {
  const { user_id: userId, text, trigger_id: triggerId } = typedSchema.parse(raw.body);
  const typed = readTyped(text);
  if (typed === null) return plain(help());
  const caller = await callerOf(raw, userId);
  if (typed.word === "status") return statusCard(await statusFromSlack(caller));
  const view = await dialogFor(caller, typed);
  await raw.client.views.open({ trigger_id: triggerId, view: view as never });
  return null;
}

async function dialogFor(caller: SlackCaller, typed: Exclude<Typed, { word: "status" }>) {
  if ("agent" in typed) {
    const agent = await agentFromSlack(caller, typed.word, typed.agent);
    return controlDialog({ what: typed.word, agent: agent.id }, agent);
  }
  await mayFreezeFromSlack(caller);
  return controlDialog({ what: "freeze" }, null);
}

async function answer(raw: Raw, ack: AckFn<string | RespondArguments>): Promise<void> {
  try {
    const card = await runTyped(raw);
    await (card === null ? ack() : ack(alone(card)));
  } catch (error) {
    await ack(alone(plain(wordsFor(error))));
  }
}

type DialogAnswer = { readonly response_action: "errors"; readonly errors: Record<string, string> };

/** Everything is read again: the dialog may have been open for an hour. */
async function submit(raw: Raw, ack: (answer?: DialogAnswer) => Promise<void>): Promise<void> {
  try {
    const { user, view } = submissionSchema.parse(raw.body);
    const asked: ControlAsked | null = readJson(controlAskedSchema, view.private_metadata);
    if (asked === null) throw new AppError("invalid", "Nothing was done. This dialog is not one of ours.");
    const reason = view.state.values.reason.reason.value?.trim() ?? "";
    await controlFromSlack(await callerOf(raw, user.id), asked, reason);
    await ack();
  } catch (error) {
    await ack({ response_action: "errors", errors: { reason: wordsFor(error) } });
  }
}

/** `/countersign`, and the dialogs that it opens. Nothing that is typed in Slack links anybody. */
export function listenToCommands(app: App): void {
  app.command("/countersign", ({ ack, body, context, client }) => answer({ body, context, client }, ack));
  app.view({ callback_id: CONTROL_DIALOG, type: "view_submission" }, ({ ack, body, context, client }) =>
    submit({ body, context, client }, (error) => (error === undefined ? ack() : ack(error))),
  );
}
