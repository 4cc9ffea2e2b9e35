import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoFile, DemoServices } from "@/prisma/seed";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";
import type { DemoOptions } from "@/server/cli/demo/main";
import { DEMO_CLIENT_ID, demoClientSecret } from "@/server/cli/demo/slack-oauth";
import { LaunchError } from "@/server/cli/launch-error";
import { freePort } from "@/server/cli/postgres/cluster";
import { inheritedEnv, type LauncherEnv } from "@/server/env";
import { type Child, runChild, startChild } from "./child";
import { readPrivate, writePrivate } from "./data-directory";
import type { SecretStore } from "./secrets";

const USER = "demo";

export type Demo = {
  readonly services: DemoServices;
  /** What the server needs besides its own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly child: Child;
};

type Port = "echoPort" | "mailboxPort" | "smtpPort" | "slackPort";

async function settlePorts({ value, change }: SecretStore): Promise<Record<Port, number>> {
  const ports = {
    echoPort: value.echoPort ?? (await freePort()),
    mailboxPort: value.mailboxPort ?? (await freePort()),
    smtpPort: value.smtpPort ?? (await freePort()),
    slackPort: value.slackPort ?? (await freePort()),
  };
  change(ports);
  return ports;
}

/** A workspace belongs to one organization: what an interrupted start connected must not be in the way of the next. */
function settleSlack({ value, change }: SecretStore): { signingSecret: string; team: string } {
  const signingSecret = value.slackSigningSecret ?? randomBytes(16).toString("hex");
  const known = value.isSeeded ? value.slackTeam : undefined;
  const team = known ?? `T_${randomBytes(5).toString("hex").toUpperCase()}`;
  change({ slackSigningSecret: signingSecret, slackTeam: team });
  return { signingSecret, team };
}

function settleCertificate(directory: string): { key: string; cert: string } {
  const path = join(directory, "mail-certificate.json");
  const stored = readPrivate(path);
  if (stored !== undefined) return JSON.parse(stored) as { key: string; cert: string };
  const made = makeLocalCertificate();
  writePrivate(path, JSON.stringify(made));
  return made;
}

/** The server trusts the demo's mail server as any other: by its certificate, beside those it trusts anyway. */
function trustFile(directory: string, cert: string): string {
  const existing = inheritedEnv().NODE_EXTRA_CA_CERTS;
  const path = join(directory, "mail-certificate.pem");
  const others = existing && existing !== path ? readFileSync(existing, "utf8") : "";
  writePrivate(path, `${others}\n${cert}`);
  return path;
}

/** Starts the echo service, the mail server and its mailbox, and a Slack of our own, on ports that stay the same. Throws LaunchError. */
export async function startDemo(
  directory: string,
  secrets: SecretStore,
  { ALLOWED_PRIVATE_HOSTS: privateHosts, PUBLIC_URL: publicUrl }: LauncherEnv,
): Promise<Demo> {
  const ports = await settlePorts(secrets);
  const certificate = settleCertificate(directory);
  const { mailPassword: password } = secrets.value;
  const mailDirectory = join(directory, "mailbox");
  const { signingSecret, team } = settleSlack(secrets);
  const slack = { port: ports.slackPort, signingSecret, team, appUrl: publicUrl };
  const { echoPort, mailboxPort, smtpPort } = ports;
  const options: DemoOptions = {
    ...{ echoPort, mailboxPort, smtpPort, mailDirectory, slack },
    ...certificate,
    user: USER,
    password,
  };
  const child = await startChild({
    name: "The demo's services",
    file: "server/cli/demo/main.ts",
    env: inheritedEnv(),
    first: options,
  });
  const services: DemoServices = {
    echoUrl: `http://127.0.0.1:${ports.echoPort}/echo`,
    mailboxUrl: `http://127.0.0.1:${ports.mailboxPort}/mailbox`,
    slackEmulatorUrl: `http://127.0.0.1:${ports.slackPort}`,
    smtp: { host: "localhost", port: ports.smtpPort, user: USER, password },
  };
  const local = [`127.0.0.1:${ports.echoPort}`, `localhost:${ports.smtpPort}`];
  const env = {
    DEMO: "1",
    DEMO_ECHO_URL: services.echoUrl,
    DEMO_MAILBOX_URL: services.mailboxUrl,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_CLIENT_ID: DEMO_CLIENT_ID,
    SLACK_CLIENT_SECRET: demoClientSecret(signingSecret),
    SLACK_API_URL: `${services.slackEmulatorUrl}/api/`,
    NOTIFY_SMTP_URL: `smtp://${USER}:${encodeURIComponent(password)}@localhost:${ports.smtpPort}`,
    NOTIFY_FROM: "notices@countersign.example",
    ALLOWED_PRIVATE_HOSTS: [...privateHosts, ...local].join(","),
    NODE_EXTRA_CA_CERTS: trustFile(directory, certificate.cert),
  };
  return { services, env, child };
}

export type SeedOptions = {
  readonly directory: string;
  readonly secrets: SecretStore;
  readonly services: DemoServices;
  readonly publicUrl: string;
  readonly env: NodeJS.ProcessEnv;
};

/** Fills an empty demo and writes `demo.json`; later starts keep both and refresh the address. Throws LaunchError. */
export async function seedOnce({ directory, secrets, services, publicUrl, env }: SeedOptions): Promise<DemoFile> {
  const path = join(directory, "demo.json");
  const save = (file: DemoFile) => {
    writePrivate(path, `${JSON.stringify(file, null, 2)}\n`);
    return file;
  };
  if (secrets.value.isSeeded) {
    const stored = readPrivate(path);
    if (stored === undefined)
      throw new LaunchError(`${path} is gone, and its keys with it; remove ${directory} to start over.`);
    const { slackEmulatorUrl } = services;
    return save({ ...(JSON.parse(stored) as DemoFile), url: publicUrl, slackEmulatorUrl });
  }
  const made = await runChild({
    name: "Filling the demo",
    file: "server/cli/demo/seed.ts",
    env,
    first: { ...services, url: publicUrl },
  });
  const file = save(made as DemoFile);
  secrets.change({ isSeeded: true });
  return file;
}
