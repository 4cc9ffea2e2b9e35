import "server-only";
import type { Choice } from "@/app/_ui/form/fields";
import type { RightChoices } from "@/app/_ui/members/right-form";
import { listActions } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import { listAgents } from "@/server/services/agents/list";
import { listConnections } from "@/server/services/connections/list";
import { listDepartments } from "@/server/services/departments/list";
import { listMembers } from "@/server/services/identity/members/list-members";

const LIMIT = 100;

/** The people who can own an agent, for a form. Empty where this person may not see members. */
export async function ownerChoices(actor: MemberActor): Promise<Choice[]> {
  if (!actor.permissions.has("agent:manage")) return [];
  const { items } = await listMembers(actor, { limit: LIMIT });
  const able = items.filter((member) => !member.isDisabled && member.role !== "auditor");
  return able.map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }));
}

export async function departmentChoices(actor: MemberActor): Promise<Choice[]> {
  const { items } = await listDepartments(actor, { limit: LIMIT });
  return items.map(({ id, name }) => ({ value: id, label: name }));
}

/** What a right to approve can be limited to. */
export async function rightChoices(actor: MemberActor): Promise<RightChoices> {
  const { items } = await listConnections(actor, { limit: LIMIT });
  return {
    departments: await departmentChoices(actor),
    actions: listActions().map(({ name }) => ({ value: name, label: name })),
    connections: items.map(({ id, name }) => ({ value: id, label: name })),
  };
}

export async function agentChoices(actor: MemberActor): Promise<Choice[]> {
  const { items } = await listAgents(actor, { limit: LIMIT });
  return items.map(({ id, name }) => ({ value: id, label: name }));
}
