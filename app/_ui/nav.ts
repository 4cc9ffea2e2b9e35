import { type Permission, permissionsOfPerson } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";

export type NavItem = { label: string; path: string; key: string };

const ITEMS: readonly (NavItem & { needs: Permission })[] = [
  { label: "Approvals", path: "/approvals", key: "a", needs: "approval:read" },
  { label: "Requests", path: "/requests", key: "r", needs: "request:read" },
  { label: "Proposals", path: "/proposals", key: "p", needs: "request:read" },
  { label: "Agents", path: "/agents", key: "g", needs: "agent:read" },
  { label: "Connections", path: "/connections", key: "c", needs: "connection:read" },
  { label: "Rules", path: "/rules", key: "u", needs: "rule:read" },
  { label: "Budgets", path: "/budgets", key: "b", needs: "budget:read" },
  { label: "Controls", path: "/controls", key: "o", needs: "control:read" },
  { label: "Audit", path: "/audit", key: "d", needs: "audit:read" },
  { label: "Members", path: "/members", key: "m", needs: "member:read" },
  { label: "Slack", path: "/slack", key: "l", needs: "self:read" },
  { label: "Settings", path: "/settings", key: "s", needs: "self:read" },
];

const MAILBOX: NavItem = { label: "Mailbox", path: "/mailbox", key: "x" };

type Options = { demo: boolean; hasRight?: boolean };

/** What a person can open by role, and by a right to approve, in order. The first is where the app opens. */
export function navFor(role: Role, { demo, hasRight = false }: Options): NavItem[] {
  const permissions = permissionsOfPerson(role, hasRight);
  const items = ITEMS.filter((item) => permissions.has(item.needs)).map(({ label, path, key }) => ({
    label,
    path,
    key,
  }));
  return demo ? [...items, MAILBOX] : items;
}
