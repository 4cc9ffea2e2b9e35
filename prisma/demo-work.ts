import type { DemoServices } from "@/prisma/seed";
import { emailSend } from "@/server/domain/actions/email-send";
import type { MemberActor } from "@/server/domain/actor";
import { parsePlainUrl } from "@/server/domain/plain-url";
import { createAgent } from "@/server/services/agents/create";
import { createBudget } from "@/server/services/budgets/create";
import { createConnection } from "@/server/services/connections/create";
import { trustDestination } from "@/server/services/destinations/trust";
import { createGrant } from "@/server/services/grants/create";
import { newSecret } from "@/server/services/identity/keys";

const MAILS_A_DAY = 100;

/** An agent that may ask for mails and read from the echo service, and what it does so over. */
export async function seedWork(admin: MemberActor, ownerId: string, services: DemoServices) {
  const agent = await createAgent(admin, { name: "Order desk", ownerId });
  const mail = await seedMail(admin, agent.id, services);
  const web = await seedWeb(admin, agent.id, services);
  return { agentId: agent.id, mail, web };
}

/** Mails to anybody under `.example`, a hundred a day and the money for them. Each waits for a person. */
async function seedMail(admin: MemberActor, agentId: string, { smtp }: DemoServices): Promise<string> {
  const connection = await createConnection(admin, {
    provider: "smtp",
    name: "Mail",
    config: { host: smtp.host, port: smtp.port, tls: "starttls", from: "orders@acme.example" },
    credential: { kind: "password", user: smtp.user, password: smtp.password },
  });
  await createGrant(admin, {
    agentId,
    connectionId: connection.id,
    actions: ["email.send"],
    access: "write",
    maxRisk: "medium",
    allow: { "email.send": { domains: [".example"], maxRecipients: 10, maxBytes: 102_400 } },
    perMinute: MAILS_A_DAY,
    perHour: MAILS_A_DAY,
    perDay: MAILS_A_DAY,
  });
  const { micros = 0n, currency = "USD" } = emailSend.price ?? {};
  const capMicros = `${micros * BigInt(MAILS_A_DAY)}`;
  await createBudget(admin, { scope: "agent", scopeId: agentId, period: "day", currency, capMicros });
  return connection.id;
}

/** The echo service, trusted: reading it asks nobody. It gets a credential, so that its masking can be seen. */
async function seedWeb(admin: MemberActor, agentId: string, { echoUrl }: DemoServices): Promise<string> {
  const read = parsePlainUrl(echoUrl);
  if (!read.ok) throw new Error("the echo service has no plain URL");
  const { scheme, hostname, host, port } = read.url;
  const connection = await createConnection(admin, {
    provider: "http",
    name: "Web",
    config: { origins: [`${scheme}://${host}`] },
    credential: { kind: "header", name: "authorization", value: `Bearer ${newSecret()}` },
  });
  await trustDestination(admin, { kind: "host", value: host });
  const allow = {
    methods: ["GET", "HEAD"],
    schemes: [scheme],
    hosts: [hostname],
    ports: [port],
    pathPrefixes: ["/"],
    headers: ["accept", "accept-language", "x-request-id"],
  };
  await createGrant(admin, {
    agentId,
    connectionId: connection.id,
    actions: ["http.request"],
    allow: { "http.request": allow },
  });
  return connection.id;
}
