import type { Role } from "@/server/domain/roles";

export type NavItem = { label: string; path: string; key: string; roles: readonly Role[] };

const EVERYONE: readonly Role[] = ["owner", "admin", "approver", "member", "auditor"];
const DECIDERS: readonly Role[] = ["owner", "admin", "approver"];
const MANAGERS: readonly Role[] = ["owner", "admin"];

const ITEMS: readonly NavItem[] = [
  { label: "Approvals", path: "/approvals", key: "a", roles: [...DECIDERS, "auditor"] },
  { label: "Requests", path: "/requests", key: "r", roles: EVERYONE },
  { label: "Agents", path: "/agents", key: "g", roles: EVERYONE },
  { label: "Connections", path: "/connections", key: "c", roles: [...MANAGERS, "approver", "auditor"] },
  { label: "Rules", path: "/rules", key: "u", roles: [...DECIDERS, "auditor"] },
  { label: "Budgets", path: "/budgets", key: "b", roles: [...DECIDERS, "auditor"] },
  { label: "Controls", path: "/controls", key: "o", roles: [...DECIDERS, "auditor"] },
  { label: "Audit", path: "/audit", key: "d", roles: [...MANAGERS, "auditor"] },
  { label: "Members", path: "/members", key: "m", roles: [...MANAGERS, "auditor"] },
  { label: "Settings", path: "/settings", key: "s", roles: EVERYONE },
];

const MAILBOX: NavItem = { label: "Mailbox", path: "/mailbox", key: "x", roles: EVERYONE };

/** What a person of this role can open, in the order of the navigation. */
export function navFor(role: Role, { demo }: { demo: boolean }): NavItem[] {
  const items = demo ? [...ITEMS, MAILBOX] : ITEMS;
  return items.filter((item) => item.roles.includes(role));
}
