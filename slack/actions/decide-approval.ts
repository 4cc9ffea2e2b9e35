import type { App } from "@slack/bolt";
import type { WebClient } from "@slack/web-api";
import { AppError } from "@/server/domain/errors";
import type { Decided } from "@/server/services/approvals/insert-decision";
import { admitted, buttonValueSchema, decideFromSlack, type Press } from "@/server/services/slack/decide-from-slack";
import { channelIdSchema } from "@/server/services/slack/slack-ids";
import { tellAlone, wordsFor } from "@/slack/actions/answer";
import { objectionTo } from "@/slack/admit";
import { APPROVE, OPEN, REJECT } from "@/slack/card/card";
import { syncSoon } from "@/slack/deliver";
import { contextSchema, pressSchema, readJson, submissionSchema } from "@/slack/listen-context";
import { isPressedInTheOpen } from "@/slack/open-channel";
import { publishHome } from "@/slack/publish-home";
import { REASON_DIALOG, reasonDialog } from "@/slack/views/reason-dialog";

const BLOCK = "approval.decide";
const dialogSchema = buttonValueSchema.extend({ channel: channelIdSchema });

type Raw = { readonly body: unknown; readonly context: unknown; readonly client: WebClient };

/** A press as it was signed, with what Slack says of the person. Throws AppError. */
async function pressOf({ body, context, client }: Raw, decision: Press["decision"]) {
  const { user, channel, actions, trigger_id: triggerId } = pressSchema.parse(body);
  const value = readJson(buttonValueSchema, actions[0].value);
  if (value === null) throw new AppError("invalid", "Nothing was decided. This button is not one of ours.");
  const installation = contextSchema.parse(context);
  const asked = await askOf(client, { teamId: installation.teamId, channelId: channel.id, userId: user.id });
  const press: Press = { ...installation, userId: user.id, channelId: channel.id, value, decision, ...asked };
  return { press, triggerId };
}

type Where = { readonly teamId: string; readonly channelId: string; readonly userId: string };

/** What Slack says at this moment of the person and of the channel. Throws AppError. */
async function askOf(client: WebClient, { userId, ...place }: Where) {
  const [objection, isOpenChannel] = await Promise.all([
    objectionTo(client, place.teamId, userId),
    isPressedInTheOpen(client, place),
  ]);
  return { objection, isOpenChannel };
}

function hearerOf({ body, client }: Raw) {
  const { user, channel } = pressSchema.parse(body);
  return { client, channelId: channel.id, userId: user.id };
}

/** Decided first, answered then: Slack does not send a press twice. */
async function approve(raw: Raw, ack: () => Promise<void>): Promise<void> {
  try {
    const { press } = await pressOf(raw, "approve");
    const decided = await decideFromSlack(press);
    await ack();
    await syncSoon(press.orgId, press.value.approval);
    await publishHome(raw.client, press);
    if (decided.remaining > 0) await tellAlone(hearerOf(raw), moreWords(decided));
  } catch (error) {
    await ack();
    await tellAlone(hearerOf(raw), wordsFor(error));
    await hideInTheOpen(raw, error);
  }
}

/** A card that others came to read shows no longer what is asked. Never throws. */
async function hideInTheOpen({ body, context }: Raw, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.reason !== "slack_open_channel") return;
  const value = readJson(buttonValueSchema, pressSchema.safeParse(body).data?.actions[0].value);
  const { data: installation } = contextSchema.safeParse(context);
  if (value !== null && installation) await syncSoon(installation.orgId, value.approval);
}

const moreWords = ({ remaining, isSecondAsked }: Decided) =>
  `You approved. It takes ${remaining} more${isSecondAsked ? ": it came faster than it can be read." : "."}`;

/** Asks for the reason; whoever may not decide is told so instead. Nothing is decided yet. */
async function askReason(raw: Raw, ack: () => Promise<void>): Promise<void> {
  try {
    const { press, triggerId } = await pressOf(raw, "reject");
    await admitted(press);
    await raw.client.views.open({
      trigger_id: triggerId ?? "",
      view: reasonDialog({ ...press.value, channel: press.channelId }),
    });
    await ack();
  } catch (error) {
    await ack();
    await tellAlone(hearerOf(raw), wordsFor(error));
    await hideInTheOpen(raw, error);
  }
}

type DialogAnswer = { readonly response_action: "errors"; readonly errors: Record<string, string> };

/** Everything is read again: the dialog may have been open for an hour. */
async function reject(raw: Raw, ack: (answer?: DialogAnswer) => Promise<void>): Promise<void> {
  try {
    const { user, view } = submissionSchema.parse(raw.body);
    const shown = readJson(dialogSchema, view.private_metadata);
    if (shown === null) throw new AppError("invalid", "Nothing was decided. This dialog is not one of ours.");
    const { channel, ...value } = shown;
    const installation = contextSchema.parse(raw.context);
    const asked = await askOf(raw.client, { teamId: installation.teamId, channelId: channel, userId: user.id });
    const reason = view.state.values.reason.reason.value?.trim();
    const place = { ...installation, userId: user.id, channelId: channel };
    await decideFromSlack({ ...place, value, decision: "reject", ...asked, ...(reason ? { reason } : {}) });
    await ack();
    await syncSoon(installation.orgId, value.approval);
    await publishHome(raw.client, place);
  } catch (error) {
    await ack({ response_action: "errors", errors: { reason: wordsFor(error) } });
  }
}

/** What a press on a card does. A block or an action of another name reaches nothing. */
export function listenToCards(app: App): void {
  app.action({ block_id: BLOCK, action_id: APPROVE }, ({ ack, body, context, client }) =>
    approve({ body, context, client }, () => ack()),
  );
  app.action({ block_id: BLOCK, action_id: REJECT }, ({ ack, body, context, client }) =>
    askReason({ body, context, client }, () => ack()),
  );
  app.action({ action_id: OPEN }, ({ ack }) => ack());
  app.view({ callback_id: REASON_DIALOG, type: "view_submission" }, ({ ack, body, context, client }) =>
    reject({ body, context, client }, (answer) => (answer === undefined ? ack() : ack(answer))),
  );
}
