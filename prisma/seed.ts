import { foundOrganization, invitePerson, randomText, type SeededPerson } from "@/prisma/demo-people";
import { seedSlack } from "@/prisma/demo-slack";
import { seedWork } from "@/prisma/demo-work";
import { hasMember } from "@/server/db/resolve";
import type { MemberActor } from "@/server/domain/actor";
import type { Role } from "@/server/domain/roles";
import { createAgent } from "@/server/services/agents/create";
import { issueAgentKey } from "@/server/services/agents/issue-key";

/** What runs beside the server in a demo. */
export type DemoServices = {
  readonly echoUrl: string;
  readonly mailboxUrl: string;
  /** A Slack of our own, its workspace not connected to anybody yet. */
  readonly slackEmulatorUrl: string;
  readonly smtp: { readonly host: string; readonly port: number; readonly user: string; readonly password: string };
};

export type DemoPerson = { readonly email: string; readonly password: string; readonly token: string };
export type DemoAgent = { readonly id: string; readonly key: string };

/** `demo.json`: how people and scripts go on from a fresh demo. */
export type DemoFile = {
  readonly url: string;
  readonly organizationId: string;
  readonly owner: DemoPerson;
  readonly admin: DemoPerson;
  readonly approver: DemoPerson;
  readonly agentOwner: DemoPerson;
  readonly member: DemoPerson;
  readonly auditor: DemoPerson;
  readonly agent: DemoAgent;
  readonly connections: { readonly mail: string; readonly web: string };
  readonly echoUrl: string;
  readonly mailboxUrl: string;
  readonly slackEmulatorUrl: string;
  readonly other: { readonly organizationId: string; readonly owner: DemoPerson; readonly agent: DemoAgent };
};

const KEY_DAYS = 365;

/**
 * Fills a database with the demo's organizations, by the commands that people use and in their names. `url` is where
 * people open the web app. What an interrupted run left behind stays unused: addresses that are taken get an addition.
 */
export async function seedDemo({ url, ...services }: DemoServices & { readonly url: string }): Promise<DemoFile> {
  const tag = (await hasMember()) ? `.${randomText(6)}` : "";
  const acme = await seedAcme(services, (name) => `${name}${tag}@acme.example`);
  const other = await seedOther(`owner${tag}@globex.example`);
  const { echoUrl, mailboxUrl, slackEmulatorUrl } = services;
  return { url, ...acme, echoUrl, mailboxUrl, slackEmulatorUrl, other };
}

async function seedAcme(services: DemoServices, address: (name: string) => string) {
  const owner = await foundOrganization("Acme Trading", { name: "Odile Marchand", email: address("owner") });
  const invite = (role: Role, name: string, mailbox: string) =>
    invitePerson(owner.actor, { role, name, email: address(mailbox) });
  const people = {
    owner,
    admin: await invite("admin", "Adrian Weiss", "admin"),
    approver: await invite("approver", "Priya Raman", "approver"),
    agentOwner: await invite("approver", "Amos Keller", "agent-owner"),
    member: await invite("member", "Mina Sato", "member"),
    auditor: await invite("auditor", "Astrid Holm", "auditor"),
  };
  const { agentId, ...connections } = await seedWork(people.admin.actor, people.agentOwner.actor.memberId, services);
  const agent = await keyFor(people.agentOwner.actor, agentId);
  await seedSlack(people);
  await Promise.all(Object.values(people).map(({ leave }) => leave()));
  return {
    organizationId: owner.actor.orgId,
    owner: shown(people.owner),
    admin: shown(people.admin),
    approver: shown(people.approver),
    agentOwner: shown(people.agentOwner),
    member: shown(people.member),
    auditor: shown(people.auditor),
    agent,
    connections,
  };
}

/** A second organization, which must not see anything of the first. */
async function seedOther(email: string): Promise<DemoFile["other"]> {
  const owner = await foundOrganization("Globex", { name: "Gustav Lindqvist", email });
  const { id } = await createAgent(owner.actor, { name: "Night shift" });
  const agent = await keyFor(owner.actor, id);
  await owner.leave();
  return { organizationId: owner.actor.orgId, owner: shown(owner), agent };
}

async function keyFor(issuer: MemberActor, agentId: string): Promise<DemoAgent> {
  const { key } = await issueAgentKey(issuer, { id: agentId, expiresInDays: KEY_DAYS });
  return { id: agentId, key };
}

const shown = ({ email, password, token }: SeededPerson): DemoPerson => ({ email, password, token });
