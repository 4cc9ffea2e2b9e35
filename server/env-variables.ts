import { isIP } from "node:net";
import { z } from "zod";

const port = z.coerce.number().int().min(1).max(65_535);
const count = (max: number) => z.coerce.number().int().min(1).max(max);
const httpUrl = z.url({ protocol: /^https?$/ }).max(500);
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }).max(2_000);

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Whole seconds, written `90s`, `30m`, `2h`, `1d` or as bare seconds. */
const duration = z
  .string()
  .regex(/^[0-9]{1,9}[smhd]?$/, "must be a number followed by s, m, h or d")
  .transform((text) => {
    const unit = /[smhd]$/.exec(text)?.[0] ?? "s";
    return Number.parseInt(text, 10) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
  });

const list = <T extends z.ZodType<string, string>>(item: T) =>
  z
    .string()
    .max(10_000)
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .pipe(z.array(item).max(200));

const addressOrRange = z.string().refine((text) => {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}, "must be addresses or ranges in CIDR notation");

const actionName = z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/, "must be action names such as email.send");
const hostName = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$/, "must be hosts or host:port");
const key32 = z
  .string()
  .refine((text) => /^[A-Za-z0-9+/]{43}=$/.test(text), "must be 32 bytes in base64, 44 characters ending in =");
const secret = z.string().min(32, "must have at least 32 characters").max(500);
const flag = z.enum(["0", "1"]).transform((text) => text === "1");

export type Documented = { readonly description: string; readonly example: string };
const doc = <T extends z.ZodType>(schema: T, description: string, example: string): T =>
  schema.meta({ description, example } satisfies Documented);

/**
 * Every environment variable the product reads, each with what it is for and an example. Lists become arrays,
 * durations whole seconds; empty means not set.
 */
export const variables = z.object({
  PORT: doc(port.default(3000), "the port the server listens on", "3000"),
  HOST: doc(z.string().max(255).optional(), "the address to listen on; setting it turns demo mode off", "0.0.0.0"),
  DATA_DIR: doc(
    z.string().max(1_000).default(".data"),
    "the folder for generated keys and the embedded database",
    ".data",
  ),
  PUBLIC_URL: doc(httpUrl.optional(), "the address people open, for links and cookies", "https://countersign.example"),
  TRUSTED_PROXIES: doc(
    list(addressOrRange).default([]),
    "proxies whose X-Forwarded-For is believed",
    "10.0.0.0/8,127.0.0.1",
  ),
  DATABASE_URL: doc(
    postgresUrl.optional(),
    "the owner's connection, used for migrations and never by the serving process",
    "postgres://countersign_owner:secret@db.example:5432/countersign",
  ),
  APP_DATABASE_URL: doc(
    postgresUrl,
    "the serving connection of the role countersign_app",
    "postgres://countersign_app:secret@db.example:5432/countersign",
  ),
  SYSTEM_DATABASE_URL: doc(
    postgresUrl,
    "the serving connection of the role countersign_system, which sees ids and due times",
    "postgres://countersign_system:secret@db.example:5432/countersign",
  ),
  DEMO: doc(flag.optional(), "1 starts demo mode with people and an agent ready, on loopback only; 0 never does", "0"),
  DEMO_ECHO_URL: doc(httpUrl.optional(), "the demo's echo service; set by npm start", "http://127.0.0.1:3101/echo"),
  DEMO_MAILBOX_URL: doc(httpUrl.optional(), "the demo's mailbox; set by npm start", "http://127.0.0.1:3102/mailbox"),
  CONNECTIONS_KEK: doc(
    key32.optional(),
    "the key that encrypts stored credentials and content; without it nothing is stored or read",
    "the output of: openssl rand -base64 32",
  ),
  SESSION_SECRET: doc(secret, "signs sign-in cookies", "the output of: openssl rand -base64 48"),
  KILL_SWITCH: doc(
    z.enum(["freeze", "lockdown"]).optional(),
    "stops agents of every organization; no call can lift it",
    "freeze",
  ),
  APPROVAL_TIMEOUT: doc(
    duration.pipe(z.number().min(1).max(2_592_000)).default(1_800),
    "how long an approval waits for a person, from 1s to 30d",
    "30m",
  ),
  APPROVAL_ACTIONS: doc(
    list(actionName).default([]),
    "actions that always need a person, whatever an organization's rules say",
    "email.send,http.request",
  ),
  ALLOWED_PRIVATE_HOSTS: doc(
    list(hostName).default([]),
    "hosts with private addresses that connections may reach all the same",
    "mail.internal:587",
  ),
  RATE_LIMIT_PER_MINUTE: doc(count(1_000_000).default(600), "calls one credential may make in a minute", "600"),
  RATE_LIMIT_BURST: doc(count(100_000).default(100), "calls one credential may make at once", "100"),
  MAX_PENDING_PER_AGENT: doc(count(10_000).default(20), "requests of one agent that may wait for a person", "20"),
  INNGEST_ENGINE: doc(
    z.enum(["local", "remote"]).optional(),
    "local runs durable work on this machine; remote, the default where Inngest's keys are set, runs it there",
    "remote",
  ),
  INNGEST_EVENT_KEY: doc(z.string().min(8).max(500), "the key with which events are sent to Inngest", "your-event-key"),
  INNGEST_SIGNING_KEY: doc(
    z.string().min(16).max(500),
    "the key with which Inngest signs its calls",
    "signkey-prod-0123456789abcdef",
  ),
  INNGEST_BASE_URL: doc(httpUrl.optional(), "where a self-hosted Inngest answers", "https://inngest.example"),
  SLACK_SIGNING_SECRET: doc(
    z.string().min(16).max(200).optional(),
    "the secret with which Slack signs its calls; without it nothing is taken from Slack",
    "0123456789abcdef0123456789abcdef",
  ),
  SLACK_CLIENT_ID: doc(
    z.string().min(3).max(100).optional(),
    "the client ID of the Slack app, with which workspaces are connected and people linked from the web app",
    "1234567890.1234567890123",
  ),
  SLACK_CLIENT_SECRET: doc(
    z.string().min(16).max(200).optional(),
    "the client secret of the Slack app",
    "0123456789abcdef0123456789abcdef",
  ),
  SLACK_APP_TOKEN: doc(
    z
      .string()
      .max(300)
      .regex(/^xapp-[0-9A-Za-z-]{10,}$/, "must be an app-level token, which starts with xapp-")
      .optional(),
    "the app-level token with connections:write; setting it has Slack call over a socket that this server opens (Socket Mode), for servers without a public address",
    "xapp-1-A0123456789-1234567890123-0123456789abcdef",
  ),
  SLACK_API_URL: doc(httpUrl.optional(), "where Slack's Web API answers; set by npm start", "https://slack.com/api/"),
  NOTIFY_SMTP_URL: doc(
    z
      .url({ protocol: /^smtps?$/, error: "must be smtp://user:password@host:port, or smtps:// where TLS comes first" })
      .max(500)
      .optional(),
    "the mail server for notices with a link, always encrypted; without it nobody is mailed",
    "smtp://countersign:secret@mail.example:587",
  ),
  NOTIFY_FROM: doc(
    z.email("must be a bare address").max(254).optional(),
    "the address that notices come from; set together with NOTIFY_SMTP_URL",
    "countersign@mail.example",
  ),
  LOG_LEVEL: doc(
    z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    "the least severe lines that are written",
    "info",
  ),
});
