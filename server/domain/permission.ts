import type { Role } from "@/server/domain/roles";

/**
 * What a caller may do. Agents hold only the permissions in `AGENT_PERMISSIONS`: deciding, configuring and
 * granting are not among them, whatever their owner may do.
 */
export const PERMISSIONS = [
  "tool:submit",
  "request:read",
  "request:cancel",
  "request:resolve",
  "proposal:take_up",
  "content:read",
  "approval:read",
  "approval:decide",
  "approver_figures:read",
  "agent:read",
  "agent:manage",
  "agent_key:manage",
  "connection:read",
  "connection:manage",
  "grant:read",
  "grant:manage",
  "rule:read",
  "rule:manage",
  "budget:read",
  "budget:manage",
  "control:read",
  "control:activate",
  "control:release",
  "member:read",
  "member:manage",
  "organization:read",
  "organization:manage",
  "audit:read",
  "self:read",
  "self:manage",
  "system:run",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const AGENT: readonly Permission[] = ["self:read", "tool:submit", "request:read", "request:cancel"];

const MEMBER: readonly Permission[] = ["self:read", "self:manage", "organization:read", "agent:read", "control:read"];
/** Keys of the agents that one owns; of all agents together with `agent:manage`. */
const AGENT_OWNER: readonly Permission[] = ["agent_key:manage"];
const READERS: readonly Permission[] = [
  ...MEMBER,
  "request:read",
  "approval:read",
  "connection:read",
  "grant:read",
  "rule:read",
  "budget:read",
  "member:read",
];
const APPROVER: readonly Permission[] = [
  ...READERS,
  ...AGENT_OWNER,
  "content:read",
  "approval:decide",
  "request:resolve",
  "request:cancel",
  "proposal:take_up",
];
const ADMIN: readonly Permission[] = [
  ...APPROVER,
  "agent:manage",
  "connection:manage",
  "grant:manage",
  "rule:manage",
  "budget:manage",
  "control:activate",
  "member:manage",
  "organization:manage",
  "audit:read",
];

const BY_ROLE: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set<Permission>([...ADMIN, "control:release", "approver_figures:read"]),
  admin: new Set(ADMIN),
  approver: new Set(APPROVER),
  member: new Set([...MEMBER, ...AGENT_OWNER]),
  auditor: new Set<Permission>([...READERS, "audit:read"]),
};
const OF_AGENTS: ReadonlySet<Permission> = new Set(AGENT);
const OF_THE_SYSTEM: ReadonlySet<Permission> = new Set<Permission>(["system:run"]);

/** The scopes of a personal token. Each opens some permissions of the member's role; none opens more than the role has. */
export const TOKEN_SCOPES = ["read", "manage", "decide"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

// A person's own password, tokens and sign-ins change from a sign-in alone: a stolen token must not make its successor.
/** The scope that opens a permission to a token; undefined where no token may. */
export const scopeOf = (permission: Permission): TokenScope | undefined => {
  if (permission === "self:manage") return undefined;
  if (permission === "approval:decide" || permission === "request:resolve") return "decide";
  return permission.endsWith(":read") ? "read" : "manage";
};

export const permissionsOfRole = (role: Role): ReadonlySet<Permission> => BY_ROLE[role];
/** What a right to approve adds to the role `member`: which approvals, the right says at each. */
const BY_RIGHT: readonly Permission[] = ["approval:read", "approval:decide"];

/** What a person may do, with the right to approve that they hold beside their role. */
export const permissionsOfPerson = (role: Role, hasRight: boolean): ReadonlySet<Permission> =>
  role === "member" && hasRight ? new Set([...BY_ROLE[role], ...BY_RIGHT]) : BY_ROLE[role];

export const permissionsOfAgents = (): ReadonlySet<Permission> => OF_AGENTS;
export const permissionsOfTheSystem = (): ReadonlySet<Permission> => OF_THE_SYSTEM;

/** What a token of these scopes may do for a person. */
export function permissionsOfToken(
  role: Role,
  scopes: readonly TokenScope[],
  hasRight = false,
): ReadonlySet<Permission> {
  const isOpened = (permission: Permission) => {
    const scope = scopeOf(permission);
    return scope !== undefined && scopes.includes(scope);
  };
  return new Set([...permissionsOfPerson(role, hasRight)].filter(isOpened));
}
