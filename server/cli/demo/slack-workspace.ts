import { randomUUID } from "node:crypto";
import { z } from "zod";
import { slackBotScopes } from "@/server/domain/slack-app";
import {
  DEMO_ALERTS_CHANNEL,
  DEMO_CHANNEL,
  DemoSlackCalls,
  type DemoSlackOptions,
  type Params,
  type SlackFile,
  type SlackMessage,
} from "./slack-calls";
import { faultsOf } from "./slack-limits";
import { DemoSlackOAuth, type Installation } from "./slack-oauth";

/** A small Slack of our own: the Web API that a bot uses, with Slack's limits, and signed calls as Slack makes them. */
export const DEMO_BOT_TOKEN = "xoxb-demo";
const PEOPLE = ["U_OWNER", "U_ADMIN", "U_APPROVER", "U_MEMBER", "U_STRANGER"];
const BOT = { botId: "B_COUNTERSIGN", userId: "U_COUNTERSIGN" };

type Answer = {
  readonly status?: number;
  readonly retryAfter?: number;
  /** What Slack says in a header of what the token may do. */
  readonly scopes?: readonly string[];
  readonly body: Params;
};

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Everything that happened, for tests and for people who look. */
export class DemoSlack extends DemoSlackCalls {
  readonly calls: { readonly method: string; readonly params: Params }[] = [];
  readonly channel = { id: DEMO_CHANNEL, is_private: true, is_member: true, is_shared: false, is_archived: false };
  readonly alerts = { ...this.channel, id: DEMO_ALERTS_CHANNEL };
  readonly oauth: DemoSlackOAuth;
  /** What the bot may do. */
  scopes: readonly string[] = slackBotScopes;
  /** Bots' tokens that Slack gave out, and for what. */
  readonly tokens = new Map<string, Installation>();
  /** What each person's home of the app shows. */
  readonly homes = new Map<string, unknown>();
  /** Files that were sent and may not be shared yet. */
  readonly uploads = new Map<string, SlackFile>();
  /** What it says to whoever wants to post. */
  refuses: string | null = null;
  /** Makes the next call of a method fail, or be lost after it was done. */
  readonly next = new Map<string, "rate_limited" | "lost">();
  /** When each channel took messages lately. */
  readonly #sent = new Map<string, number[]>();
  /** How often it asked for patience. */
  limited = 0;
  #count = 0;

  constructor(options: DemoSlackOptions) {
    super(options);
    this.oauth = new DemoSlackOAuth(options);
    this.tokens.set(DEMO_BOT_TOKEN, { team: options.team, enterprise: null });
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
      people: [...this.users.keys()],
      messages: this.shown().map(plain),
      replies: this.messages.filter(({ thread_ts }) => thread_ts).map(plain),
      alerts: this.shown(DEMO_ALERTS_CHANNEL).map(plain),
      ephemeral: this.messages.filter(({ onlyFor }) => onlyFor).map(plain),
    };
  }

  /** A person opens the app's home. */
  openHome(user: string): Promise<Response> {
    return this.tell({ type: "app_home_opened", user, tab: "home", channel: "D_HOME" });
  }

  /** What stands below a message. */
  replies(ts: string): readonly SlackMessage[] {
    return this.messages.filter(({ thread_ts }) => thread_ts === ts);
  }

  answer(method: string, params: Params, token: string): Answer | "lost" {
    this.calls.push({ method, params });
    const installation = this.tokens.get(token);
    if (installation === undefined && !method.startsWith("oauth.")) return this.#no("token_revoked");
    const fault = this.next.get(method);
    this.next.delete(method);
    if (fault === "rate_limited") return this.#limited();
    const faults = faultsOf(params.blocks);
    if (faults.length > 0) return this.#no("invalid_blocks", { response_metadata: { messages: faults } });
    const body = this.#perform(method, params, token);
    return fault === "lost" ? "lost" : body;
  }

  #perform(method: string, params: Params, token: string): Answer {
    switch (method) {
      case "auth.test":
        return { ...this.#yes(this.#whose(token)), scopes: this.scopes };
      case "auth.revoke":
        return this.#yes({ revoked: this.tokens.delete(token) });
      case "oauth.v2.access":
        return this.#install(params);
      case "users.info": {
        const found = this.users.get(textOf(params.user));
        return found ? this.#yes({ user: found }) : this.#no("user_not_found");
      }
      case "conversations.info": {
        const found = [this.channel, this.alerts].find(({ id }) => id === params.channel);
        return found ? this.#yes({ channel: found }) : this.#no("channel_not_found");
      }
      case "conversations.history":
        return this.#history(params);
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
      case "files.completeUploadExternal":
        return this.#share(params);
      case "views.open":
        if (!params.trigger_id) return this.#no("invalid_trigger_id");
        this.open(params);
        return this.#yes({ view: { id: "V1" } });
      case "views.publish":
        this.homes.set(textOf(params.user_id), params.view);
        return this.#yes({ view: { id: "V2" } });
      default:
        return this.#no("unknown_method");
    }
  }

  #yes = (more: Params): Answer => ({ body: { ok: true, ...more } });
  #no = (error: string, more: Params = {}): Answer => ({ body: { ok: false, error, ...more } });
  #limited = (): Answer => {
    this.limited += 1;
    return { status: 429, retryAfter: 1, body: { ok: false, error: "ratelimited" } };
  };

  #whose(token: string): Params {
    const { team, enterprise } = this.tokens.get(token) ?? { team: null, enterprise: null };
    const whole = { team: "Acme", team_id: team ?? enterprise, enterprise_id: enterprise ?? undefined };
    return { ...whole, is_enterprise_install: team === null, user_id: BOT.userId, bot_id: BOT.botId };
  }

  #install(params: Params): Answer {
    const code = this.oauth.redeem("install", params);
    if (code === null) return this.#no("invalid_code");
    const { team, enterprise } = code.installation;
    const token = team === this.team ? DEMO_BOT_TOKEN : `xoxb-${team ?? enterprise}`;
    this.tokens.set(token, code.installation);
    return this.#yes({
      access_token: token,
      token_type: "bot",
      app_id: "A_COUNTERSIGN",
      bot_user_id: BOT.userId,
      scope: this.scopes.join(","),
      is_enterprise_install: team === null,
      team: team === null ? null : { id: team, name: "Acme" },
      enterprise: enterprise === null ? null : { id: enterprise, name: "Acme Grid" },
    });
  }

  /** What a sign-in with Slack comes to: whose it is, signed. */
  async signedIn(params: Params, issuer: string): Promise<Answer> {
    this.calls.push({ method: "openid.connect.token", params });
    const code = this.oauth.redeem("sign_in", params);
    if (code === null) return this.#no("invalid_code");
    const token = await this.oauth.idToken(issuer, code.installation.team ?? this.team, code);
    return this.#yes({ access_token: "xoxp-demo", token_type: "Bearer", id_token: token });
  }

  /** A page of a channel, the latest first; the cursor is how many came before. */
  #history({ channel, oldest, latest, limit, cursor }: Params): Answer {
    const isWithin = ({ ts }: SlackMessage) =>
      Number(ts) > Number(oldest ?? 0) && Number(ts) < Number(latest ?? Number.POSITIVE_INFINITY);
    const all = this.shown(textOf(channel)).filter(isWithin).reverse();
    const from = Number(cursor ?? 0);
    const until = from + Number(limit ?? 100);
    const messages = all.slice(from, until).map((message) => ({ ...message, bot_id: BOT.botId }));
    const isMore = all.length > until;
    return this.#yes({ messages, has_more: isMore, response_metadata: { next_cursor: isMore ? String(until) : "" } });
  }

  #post(params: Params, onlyFor?: string): Answer {
    if (this.refuses !== null) return this.#no(this.refuses);
    const channel = textOf(params.channel);
    if (channel !== DEMO_CHANNEL && channel !== DEMO_ALERTS_CHANNEL) return this.#no("channel_not_found");
    const now = Date.now();
    const sent = (this.#sent.get(channel) ?? []).filter((at) => at >= now - 1_000);
    if (sent.length >= (this.options.perSecond ?? 3)) return this.#limited();
    this.#sent.set(channel, [...sent, now]);
    this.#count += 1;
    const ts = `${Math.floor(now / 1_000)}.${String(this.#count).padStart(6, "0")}`;
    const { text, blocks, metadata, thread_ts: thread } = params;
    const place = { ...(onlyFor ? { onlyFor } : {}), ...(thread ? { thread_ts: textOf(thread) } : {}) };
    this.messages.push({ ts, channel, text: textOf(text), blocks, metadata, ...place });
    return this.#yes(onlyFor ? { message_ts: ts } : { ts, channel });
  }

  /** Says where a file goes; nobody sees it before it is shared. */
  uploadAddress(params: Params, token: string, origin: string): Answer {
    this.calls.push({ method: "files.getUploadURLExternal", params });
    if (!this.tokens.has(token)) return this.#no("token_revoked");
    if (!this.scopes.includes("files:write")) return this.#no("missing_scope");
    const id = `F${randomUUID()}`;
    this.uploads.set(id, { id, name: textOf(params.filename), content: "" });
    return this.#yes({ upload_url: `${origin}/upload/${id}`, file_id: id });
  }

  /** Takes what was sent to such an address. */
  upload(id: string, content: string): boolean {
    const file = this.uploads.get(id);
    if (file !== undefined) this.uploads.set(id, { ...file, content });
    return file !== undefined;
  }

  #share({ files, channel_id: channel, thread_ts, initial_comment }: Params): Answer {
    const named = z
      .array(z.looseObject({ id: z.string() }))
      .parse(typeof files === "string" ? JSON.parse(files) : files);
    const shared = named.flatMap(({ id }) => this.uploads.get(id) ?? []);
    if (shared.length !== named.length) return this.#no("file_not_found");
    this.#count += 1;
    const ts = `${Math.floor(Date.now() / 1_000)}.${String(this.#count).padStart(6, "0")}`;
    const place = { channel: textOf(channel), thread_ts: textOf(thread_ts) };
    this.messages.push({ ts, ...place, text: textOf(initial_comment), blocks: undefined, files: shared });
    return this.#yes({ files: shared.map(({ id, name }) => ({ id, name })) });
  }

  #update({ ts, text, blocks, metadata }: Params): Answer {
    const index = this.messages.findIndex((message) => message.ts === ts && message.onlyFor === undefined);
    const old = this.messages[index];
    if (old === undefined) return this.#no("message_not_found");
    this.messages[index] = { ...old, text: textOf(text), blocks, metadata: metadata ?? old.metadata };
    return this.#yes({ ts, channel: old.channel });
  }
}
