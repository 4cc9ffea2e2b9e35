import { z } from "zod";
import { type Documented, variables } from "@/server/env-variables";

// The only file that touches process.env.
/** What the launcher and the migrator can start with: it makes or asks for the rest. */
const launcherVariables = variables.partial({
  APP_DATABASE_URL: true,
  SYSTEM_DATABASE_URL: true,
  SESSION_SECRET: true,
  INNGEST_EVENT_KEY: true,
  INNGEST_SIGNING_KEY: true,
});

/** A missing or malformed variable. The message is one line: its name, what it is for and an example. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

type Source = Readonly<Record<string, string | undefined>>;

const documentation = (name: string): Documented => {
  const field = variables.shape[name as keyof typeof variables.shape];
  return z.globalRegistry.get(field) as unknown as Documented;
};

const purposeOf = (name: string) => {
  const { description, example } = documentation(name);
  return `It is for: ${description}. Example: ${name}=${example}`;
};

function complain(name: string, fault: string): never {
  throw new EnvError(`${name} ${fault}. ${purposeOf(name)}`);
}

function parse<T extends z.ZodType>(schema: T, source: Source): z.output<T> {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  return complain(name, name in present ? `is malformed: ${issue?.message}` : "is missing");
}

const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(host);

function derive<T extends z.output<typeof launcherVariables>>(parsed: T) {
  const isConfigured = Boolean(parsed.DATABASE_URL ?? parsed.APP_DATABASE_URL ?? parsed.HOST);
  const isDemo = parsed.DEMO ?? !isConfigured;
  const host = parsed.HOST ?? "127.0.0.1";
  if (isDemo && !isLoopback(host)) complain("HOST", "must be a loopback address such as 127.0.0.1 in demo mode");
  if (parsed.NOTIFY_SMTP_URL && !parsed.NOTIFY_FROM) throw missingVariable("NOTIFY_FROM");
  return {
    ...parsed,
    DEMO: isDemo,
    HOST: host,
    PUBLIC_URL: (parsed.PUBLIC_URL ?? `http://localhost:${parsed.PORT}`).replace(/\/+$/, ""),
  };
}

/** The environment of a serving process. Throws EnvError. */
export const parseEnv = (source: Source) => {
  const derived = derive(parse(variables, source));
  return { ...derived, INNGEST_ENGINE: derived.INNGEST_ENGINE ?? "remote" };
};

/** The environment of `npm start` and the migrator. Throws EnvError. */
export const parseLauncherEnv = (source: Source) => {
  const derived = derive(parse(launcherVariables, source));
  const hasKeys = derived.INNGEST_EVENT_KEY !== undefined || derived.INNGEST_SIGNING_KEY !== undefined;
  return { ...derived, INNGEST_ENGINE: derived.INNGEST_ENGINE ?? (hasKeys ? "remote" : "local") };
};

export type Env = ReturnType<typeof parseEnv>;
export type LauncherEnv = ReturnType<typeof parseLauncherEnv>;

let parsed: Env | undefined;

/** For a variable that is needed only in some cases. */
export const missingVariable = (name: keyof typeof variables.shape): EnvError =>
  new EnvError(`${name} is missing. ${purposeOf(name)}`);

/** The serving environment, parsed at the first call. Throws EnvError. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** next-auth reads its address from this variable and from nowhere else. */
export function tellNextAuth(): void {
  process.env.NEXTAUTH_URL = env().PUBLIC_URL;
}

/** For tests alone: replaces what `env()` answers in this process. */
export function overrideEnv(values: Partial<Env>): void {
  parsed = { ...env(), ...values };
}

/** The launcher's environment, read afresh. Throws EnvError. */
export const launcherEnv = (): LauncherEnv => parseLauncherEnv(process.env);

/** The level for log lines. Never throws: a log line must not fail because another variable is malformed. */
export const logLevel = (): Env["LOG_LEVEL"] =>
  variables.shape.LOG_LEVEL.safeParse(process.env.LOG_LEVEL || undefined).data ?? "info";

const INHERITED = [
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "CI",
];

/** What a child process may inherit besides its own variables: no secret of ours is among it. */
export const inheritedEnv = (): NodeJS.ProcessEnv => ({
  NODE_ENV: "production",
  ...Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
});

/** The environment of a child that serves: what is configured, without the owner's connection, and `own` over it. */
export const servingEnv = (own: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const names = Object.keys(variables.shape).filter((name) => name !== "DATABASE_URL" && process.env[name]);
  return { ...inheritedEnv(), ...Object.fromEntries(names.map((name) => [name, process.env[name]])), ...own };
};

/** Names, purposes and examples, for `.env.example` and its test. */
export const documentedVariables = () => Object.keys(variables.shape).map((name) => ({ name, ...documentation(name) }));
