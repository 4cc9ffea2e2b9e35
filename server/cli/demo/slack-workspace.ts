import { createHmac, randomUUID } from "node:crypto";
import { z } from "zod";
import { faultsOf } from "./slack-limits";

/** A small Slack of our own: the Web API that a bot uses, with Slack's limits, and signed calls as Slack makes them. */
export const DEMO_CHANNEL = "C_APPROVALS";
export const DEMO_BOT_TOKEN = "xoxb-demo";
const PEOPLE = ["U_OWNER", "U_ADMIN", "U_APPROVER", "U_MEMBER", "U_STRANGER"];
const BOT = { botId: "B_COUNTERSIGN", userId: "U_COUNTERSIGN" };

export type Params = Readonly<Record<string, unknown>>;
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
};
export type SlackUser = { readonly id: string; readonly team_id: string } & Readonly<Record<string, unknown>>;
type Answer = { readonly status?: number; readonly retryAfter?: number; readonly body: Params };

export type DemoSlackOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly signingSecret: string;
  /** The workspace that it is. */
  readonly team: string;
  /** Where the app under test takes Slack's calls. */
  readonly appUrl: string;
  /** Messages that one channel takes in a second before it answers 429. */
  readonly perSecond?: number;
};

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

const clickSchema = z.strictObject({
  ts: z.string(),
  actionId: z.string(),
  userId: z.string(),
  reason: z.string().optional(),
});

/** Everything that happened, for tests and for people who look. */
export class DemoSlack {
  readonly users = new Map<string, SlackUser>();
  readonly team: string;
  readonly messages: SlackMessage[] = [];
  readonly calls: { readonly method: string; readonly params: Params }[] = [];
  readonly channel = { id: DEMO_CHANNEL, is_private: true, is_member: true, is_shared: false };
  /** Makes the next call of a method fail, or be lost after it was done. */
  readonly next = new Map<string, "rate_limited" | "lost">();
  readonly #options: DemoSlackOptions;
  readonly #sent: number[] = [];
  readonly #views: { readonly view: Params; readonly userId: string }[] = [];
  #count = 0;

  constructor(options: DemoSlackOptions) {
    this.#options = options;
    this.team = options.team;
    for (const id of PEOPLE) this.set(id, {});
  }

  /** Adds or changes a person. */
  set(id: string, more: object): void {
    this.users.set(id, { id, team_id: this.team, is_bot: false, deleted: false, ...more });
  }

  /** What people see, and what one person alone was told. */
  listed() {
    const plain = ({ metadata: _metadata, ...message }: SlackMessage) => message;
    return {
      messages: this.shown().map(plain),
      replies: this.messages.filter(({ thread_ts }) => thread_ts).map(plain),
      ephemeral: this.messages.filter(({ onlyFor }) => onlyFor).map(plain),
    };
  }

  /** What the channel shows now. */
  shown(): readonly SlackMessage[] {
    return this.messages.filter(({ onlyFor, thread_ts }) => onlyFor === undefined && thread_ts === undefined);
  }

  /** What stands below a message. */
  replies(ts: string): readonly SlackMessage[] {
    return this.messages.filter(({ thread_ts }) => thread_ts === ts);
  }

  answer(method: string, params: Params): Answer | "lost" {
    this.calls.push({ method, params });
    const fault = this.next.get(method);
    this.next.delete(method);
    if (fault === "rate_limited") return this.#limited();
    const faults = faultsOf(params.blocks);
    if (faults.length > 0) return this.#no("invalid_blocks", { response_metadata: { messages: faults } });
    const body = this.#perform(method, params);
    return fault === "lost" ? "lost" : body;
  }

  #perform(method: string, params: Params): Answer {
    switch (method) {
      case "auth.test":
        return this.#yes({ team: "Acme", team_id: this.team, user_id: BOT.userId, bot_id: BOT.botId });
      case "users.info": {
        const found = this.users.get(textOf(params.user));
        return found ? this.#yes({ user: found }) : this.#no("user_not_found");
      }
      case "conversations.info":
        return params.channel === DEMO_CHANNEL ? this.#yes({ channel: this.channel }) : this.#no("channel_not_found");
      case "conversations.history":
        return this.#yes({
          messages: this.shown()
            .map((message) => ({ ...message, bot_id: BOT.botId }))
            .reverse(),
        });
      case "conversations.replies":
        return this.#yes({
          messages: this.replies(textOf(params.ts)).map((message) => ({ ...message, bot_id: BOT.botId })),
        });
      case "chat.postMessage":
        return this.#post(params);
      case "chat.postEphemeral":
        return this.#post(params, textOf(params.user));
      case "chat.update":
        return this.#update(params);
      case "views.open":
        if (!params.trigger_id) return this.#no("invalid_trigger_id");
        this.#views.push({ view: params.view as Params, userId: textOf(params.trigger_id).split(".")[0] ?? "" });
        return this.#yes({ view: { id: "V1" } });
      default:
        return this.#no("unknown_method");
    }
  }

  #yes = (more: Params): Answer => ({ body: { ok: true, ...more } });
  #no = (error: string, more: Params = {}): Answer => ({ body: { ok: false, error, ...more } });
  #limited = (): Answer => ({ status: 429, retryAfter: 1, body: { ok: false, error: "ratelimited" } });

  #post(params: Params, onlyFor?: string): Answer {
    if (params.channel !== DEMO_CHANNEL) return this.#no("channel_not_found");
    const now = Date.now();
    while ((this.#sent[0] ?? now) < now - 1_000) this.#sent.shift();
    if (this.#sent.length >= (this.#options.perSecond ?? 3)) return this.#limited();
    this.#sent.push(now);
    this.#count += 1;
    const ts = `${Math.floor(now / 1_000)}.${String(this.#count).padStart(6, "0")}`;
    const { text, blocks, metadata, thread_ts: thread } = params;
    const place = { ...(onlyFor ? { onlyFor } : {}), ...(thread ? { thread_ts: textOf(thread) } : {}) };
    this.messages.push({ ts, channel: DEMO_CHANNEL, text: textOf(text), blocks, metadata, ...place });
    return this.#yes(onlyFor ? { message_ts: ts } : { ts, channel: DEMO_CHANNEL });
  }

  #update({ ts, text, blocks, metadata }: Params): Answer {
    const index = this.messages.findIndex((message) => message.ts === ts && message.onlyFor === undefined);
    const old = this.messages[index];
    if (old === undefined) return this.#no("message_not_found");
    this.messages[index] = { ...old, text: textOf(text), blocks, metadata: metadata ?? old.metadata };
    return this.#yes({ ts, channel: DEMO_CHANNEL });
  }

  /** The headers with which Slack signs a body. */
  sign(body: string, atS = Math.floor(Date.now() / 1_000)): Record<string, string> {
    const hmac = createHmac("sha256", this.#options.signingSecret).update(`v0:${atS}:${body}`).digest("hex");
    return {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": String(atS),
      "x-slack-signature": `v0=${hmac}`,
    };
  }

  /** Sends a payload as Slack does. */
  async send(payload: Params, headers?: Record<string, string>): Promise<Response> {
    const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    return fetch(`${this.#options.appUrl}/api/slack/events`, {
      method: "POST",
      body,
      headers: headers ?? this.sign(body),
    });
  }

  /** Types a command as a person would; answers what the person reads. */
  async command(userId: string, text: string): Promise<string> {
    const form = { command: "/countersign", text, team_id: this.team, user_id: userId, channel_id: DEMO_CHANNEL };
    const body = new URLSearchParams({ ...form, trigger_id: `${userId}.${randomUUID()}` }).toString();
    const answer = await fetch(`${this.#options.appUrl}/api/slack/events`, {
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
