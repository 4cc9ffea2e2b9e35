import { createHmac, randomUUID } from "node:crypto";
import { z } from "zod";
import { DemoSockets } from "./slack-sockets";

export const DEMO_CHANNEL = "C_APPROVALS";
export const DEMO_ALERTS_CHANNEL = "C_ALERTS";

export type Params = Readonly<Record<string, unknown>>;
export type SlackFile = { readonly id: string; readonly name: string; readonly content: string };
export type SlackMessage = {
  readonly ts: string;
  readonly channel: string;
  readonly text: string;
  readonly blocks: unknown;
  readonly metadata?: unknown;
  /** Only this person sees it. */
  readonly onlyFor?: string;
  /** The message below which it stands. */
  readonly thread_ts?: string;
  readonly files?: readonly SlackFile[];
};
export type SlackUser = { readonly id: string; readonly team_id: string } & Readonly<Record<string, unknown>>;
export type DemoSlackOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly signingSecret: string;
  /** The workspace that it is. */
  readonly team: string;
  /** Where the app under test takes Slack's calls. */
  readonly appUrl: string;
  /** Whether the app takes Slack's calls over a socket that it opens, and not at its address. */
  readonly isSocketMode?: boolean;
  /** Messages that one channel takes in a second before it answers 429. */
  readonly perSecond?: number;
};

const clickSchema = z.strictObject({
  ts: z.string(),
  actionId: z.string(),
  userId: z.string(),
  reason: z.string().optional(),
});

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** What a Slack sends to an app: presses, dialogs, commands and events, signed. */
export abstract class DemoSlackCalls {
  readonly users = new Map<string, SlackUser>();
  readonly team: string;
  readonly sockets = new DemoSockets();
  readonly messages: SlackMessage[] = [];
  protected readonly options: DemoSlackOptions;
  readonly #views: { readonly view: Params; readonly userId: string }[] = [];

  constructor(options: DemoSlackOptions) {
    this.options = options;
    this.team = options.team;
  }

  /** What a channel shows now. */
  shown(channel = DEMO_CHANNEL): readonly SlackMessage[] {
    return this.messages.filter(
      (message) => message.channel === channel && message.onlyFor === undefined && message.thread_ts === undefined,
    );
  }

  /** A dialog opens for whoever pressed. */
  protected open(params: Params): void {
    this.#views.push({ view: params.view as Params, userId: textOf(params.trigger_id).split(".")[0] ?? "" });
  }

  /** The headers with which Slack signs a body. */
  sign(body: string, atS = Math.floor(Date.now() / 1_000)): Record<string, string> {
    const hmac = createHmac("sha256", this.options.signingSecret).update(`v0:${atS}:${body}`).digest("hex");
    return {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": String(atS),
      "x-slack-signature": `v0=${hmac}`,
    };
  }

  /** Sends a payload as Slack does. */
  async send(payload: Params, headers?: Record<string, string>): Promise<Response> {
    if (this.options.isSocketMode) return this.sockets.deliver("interactive", payload);
    const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    return fetch(`${this.options.appUrl}/api/slack/events`, {
      method: "POST",
      body,
      headers: headers ?? this.sign(body),
    });
  }

  /** Tells the app what happened to its installation. */
  async tell(event: Params, more: Params = {}): Promise<Response> {
    const payload = { type: "event_callback", team_id: this.team, api_app_id: "A_COUNTERSIGN", ...more, event };
    const called = { ...payload, event_id: `Ev${randomUUID()}` };
    if (this.options.isSocketMode) return this.sockets.deliver("events_api", called);
    const body = JSON.stringify(called);
    return fetch(`${this.options.appUrl}/api/slack/events`, {
      method: "POST",
      body,
      headers: { ...this.sign(body), "content-type": "application/json" },
    });
  }

  /** Types a command as a person would; answers what the person reads. */
  async command(userId: string, text: string): Promise<string> {
    const typed = { command: "/countersign", text, team_id: this.team, user_id: userId, channel_id: DEMO_CHANNEL };
    const form = { ...typed, trigger_id: `${userId}.${randomUUID()}` };
    if (this.options.isSocketMode) return (await this.sockets.deliver("slash_commands", form)).text();
    const body = new URLSearchParams(form).toString();
    const answer = await fetch(`${this.options.appUrl}/api/slack/events`, {
      method: "POST",
      body,
      headers: this.sign(body),
    });
    return answer.text();
  }

  person(userId: string) {
    return {
      team: { id: this.team },
      user: { id: userId, team_id: String(this.users.get(userId)?.team_id ?? this.team) },
    };
  }

  /** The payload of a press on a button that the message shows now; null where it shows none of that name. */
  press({ ts, actionId, userId }: { ts: string; actionId: string; userId: string }): Params | null {
    const message = this.shown().find((one) => one.ts === ts);
    const blocks = (message?.blocks ?? []) as { block_id?: string; elements?: Params[] }[];
    const block = blocks.find(({ elements }) => elements?.some(({ action_id }) => action_id === actionId));
    const element = block?.elements?.find(({ action_id }) => action_id === actionId);
    if (message === undefined || element === undefined) return null;
    const action = { type: "button", block_id: block?.block_id, action_id: actionId, value: element.value };
    return {
      type: "block_actions",
      api_app_id: "A_COUNTERSIGN",
      ...this.person(userId),
      channel: { id: message.channel },
      container: { type: "message", message_ts: ts, channel_id: message.channel },
      message: { ts },
      trigger_id: `${userId}.${randomUUID()}`,
      actions: [{ ...action, action_ts: String(Date.now() / 1_000) }],
    };
  }

  /** The dialog that was opened for a person last, sent with a reason; null where none is open. */
  submission(userId: string, reason: string): Params | null {
    const index = this.#views.findIndex((one) => one.userId === userId);
    const [opened] = index < 0 ? [] : this.#views.splice(index, 1);
    if (opened === undefined) return null;
    const state = { values: { reason: { reason: { type: "plain_text_input", value: reason } } } };
    return {
      type: "view_submission",
      api_app_id: "A_COUNTERSIGN",
      ...this.person(userId),
      view: { ...opened.view, id: "V1", state },
      nonce: randomUUID(),
    };
  }

  /** Presses as a person would, and sends the dialog that opens. Answers the status of the last call. */
  async click(raw: unknown): Promise<{ readonly status: number; readonly answer: string }> {
    const { reason = "Not like this.", ...click } = clickSchema.parse(raw);
    const payload = this.press(click);
    if (payload === null) return { status: 404, answer: "no such button" };
    const pressed = await this.send(payload);
    const submission = this.submission(click.userId, reason);
    const last = submission === null ? pressed : await this.send(submission);
    return { status: last.status, answer: await last.text() };
  }
}
