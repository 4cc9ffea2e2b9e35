import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoFile, DemoServices } from "@/prisma/seed";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";
import type { DemoOptions } from "@/server/cli/demo/main";
import { LaunchError } from "@/server/cli/launch-error";
import { freePort } from "@/server/cli/postgres/cluster";
import { inheritedEnv } from "@/server/env";
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

async function settlePorts(secrets: SecretStore): Promise<Record<"echoPort" | "mailboxPort" | "smtpPort", number>> {
  const { echoPort, mailboxPort, smtpPort } = secrets.value;
  if (echoPort && mailboxPort && smtpPort) return { echoPort, mailboxPort, smtpPort };
  const ports = { echoPort: await freePort(), mailboxPort: await freePort(), smtpPort: await freePort() };
  secrets.change(ports);
  return ports;
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

/** Starts the echo service, the mail server and its mailbox, on ports that stay the same. Throws LaunchError. */
export async function startDemo(
  directory: string,
  secrets: SecretStore,
  privateHosts: readonly string[],
): Promise<Demo> {
  const ports = await settlePorts(secrets);
  const certificate = settleCertificate(directory);
  const { mailPassword: password } = secrets.value;
  const mailDirectory = join(directory, "mailbox");
  const options: DemoOptions = { ...ports, ...certificate, user: USER, password, mailDirectory };
  const child = await startChild({
    name: "The demo's services",
    file: "server/cli/demo/main.ts",
    env: inheritedEnv(),
    first: options,
  });
  const services: DemoServices = {
    echoUrl: `http://127.0.0.1:${ports.echoPort}/echo`,
    mailboxUrl: `http://127.0.0.1:${ports.mailboxPort}/mailbox`,
    smtp: { host: "localhost", port: ports.smtpPort, user: USER, password },
  };
  const local = [`127.0.0.1:${ports.echoPort}`, `localhost:${ports.smtpPort}`];
  const env = {
    DEMO: "1",
    DEMO_ECHO_URL: services.echoUrl,
    DEMO_MAILBOX_URL: services.mailboxUrl,
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
    return save({ ...(JSON.parse(stored) as DemoFile), url: publicUrl });
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
