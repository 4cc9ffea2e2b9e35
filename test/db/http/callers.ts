import { withOrgSql } from "@/server/db/with-org";
import type { Permission, TokenScope } from "@/server/domain/permission";
import { ROLES, type Role } from "@/server/domain/roles";
import { signIn } from "@/server/services/identity/sign-in";
import { encodeSignIn, signInCookieName } from "@/server/services/identity/sign-in-cookie";
import { type TestOrganization, type TestPerson, testToken } from "@/test/support/organization";

export type Caller = {
  readonly name: string;
  readonly kind: "anonymous" | "agent" | "member";
  readonly headers: Readonly<Record<string, string>>;
  readonly role?: Role;
  /** Present where the caller holds a token. */
  readonly scopes?: readonly TokenScope[];
};

/**
 * Who may do what, written down a second time: by hand, for people to check, and apart from the code that decides.
 * A permission that is not here does not compile.
 */
type Rule = { readonly roles: readonly Role[]; readonly agent: boolean; readonly scope: TokenScope | "sign-in only" };
const everybody: readonly Role[] = ROLES;
const readers: readonly Role[] = ["owner", "admin", "approver", "auditor"];
const deciders: readonly Role[] = ["owner", "admin", "approver"];
const admins: readonly Role[] = ["owner", "admin"];
const people = (roles: readonly Role[], scope: Rule["scope"]): Rule => ({ roles, agent: false, scope });

export const RIGHTS: Record<Permission, Rule> = {
  "tool:submit": { roles: [], agent: true, scope: "manage" },
  "request:read": { roles: readers, agent: true, scope: "read" },
  "request:cancel": { roles: deciders, agent: true, scope: "manage" },
  "request:resolve": people(deciders, "decide"),
  "proposal:take_up": people(deciders, "manage"),
  "content:read": people(deciders, "read"),
  "approval:read": people(readers, "read"),
  "approval:decide": people(deciders, "decide"),
  "approver_figures:read": people(["owner"], "read"),
  "agent:read": people(everybody, "read"),
  "agent:manage": people(admins, "manage"),
  "agent_key:manage": people(["owner", "admin", "approver", "member"], "manage"),
  "connection:read": people(readers, "read"),
  "connection:manage": people(admins, "manage"),
  "grant:read": people(readers, "read"),
  "grant:manage": people(admins, "manage"),
  "rule:read": people(readers, "read"),
  "rule:manage": people(admins, "manage"),
  "budget:read": people(readers, "read"),
  "budget:manage": people(admins, "manage"),
  "control:read": people(everybody, "read"),
  "control:activate": people(admins, "manage"),
  "control:release": people(["owner"], "manage"),
  "member:read": people(readers, "read"),
  "member:manage": people(admins, "manage"),
  "organization:read": people(everybody, "read"),
  "organization:manage": people(admins, "manage"),
  "audit:read": people(["owner", "admin", "auditor"], "read"),
  "self:read": { roles: everybody, agent: true, scope: "read" },
  "self:manage": people(everybody, "sign-in only"),
  "system:run": people([], "manage"),
};

/** What a caller gets to hear before any input is looked at. */
export function expectedRefusal(
  caller: Caller,
  { callers, permission }: { callers: readonly string[]; permission: Permission },
): "invalid_credential" | "unauthenticated" | "wrong_caller" | "not_permitted" | null {
  if (caller.kind === "anonymous") return "unauthenticated";
  if (!callers.includes(caller.kind)) return "wrong_caller";
  const rule = RIGHTS[permission];
  if (caller.kind === "agent") return rule.agent ? null : "not_permitted";
  const hasRole = caller.role !== undefined && rule.roles.includes(caller.role);
  const hasScope = caller.scopes === undefined || (caller.scopes as readonly string[]).includes(rule.scope);
  return hasRole && hasScope ? null : "not_permitted";
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

export async function cookieOf(person: TestPerson): Promise<Record<string, string>> {
  const claims = await signIn({ email: person.email, password: person.password }, { address: "", userAgent: "" });
  return { cookie: `${signInCookieName()}=${encodeSignIn(claims)}`, origin: "http://localhost:3000" };
}

/** Every kind of caller of one organization, without limits on how often they call. */
export async function everyCaller(organization: TestOrganization): Promise<readonly Caller[]> {
  await withOrgSql(organization.id, (q) =>
    q.query("UPDATE organization SET requests_per_minute = 1000000, request_burst = 1000000"),
  );
  const callers: Caller[] = [
    { name: "nobody", kind: "anonymous", headers: {} },
    { name: "agent", kind: "agent", headers: bearer(organization.agent.key) },
  ];
  const all: readonly TokenScope[] = ["read", "manage", "decide"];
  for (const role of ROLES) {
    const person = organization[role];
    callers.push({ name: `${role} by cookie`, kind: "member", role, headers: await cookieOf(person) });
    for (const scopes of role === "owner" ? ([all, ["read"], ["manage"], ["decide"]] as const) : [all]) {
      const headers = bearer(await testToken(person, scopes));
      callers.push({ name: `${role} by token ${scopes.join("+")}`, kind: "member", role, scopes, headers });
    }
  }
  return callers;
}
