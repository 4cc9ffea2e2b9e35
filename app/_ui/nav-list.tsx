"use client";

import {
  BookLock,
  Bot,
  Inbox,
  Lightbulb,
  type LucideIcon,
  Mailbox,
  MessagesSquare,
  OctagonX,
  Plug,
  Scale,
  ScrollText,
  Settings,
  Users,
  Wallet,
} from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { NavItem } from "./nav";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  "/approvals": Inbox,
  "/requests": ScrollText,
  "/proposals": Lightbulb,
  "/agents": Bot,
  "/connections": Plug,
  "/rules": Scale,
  "/budgets": Wallet,
  "/controls": OctagonX,
  "/audit": BookLock,
  "/members": Users,
  "/slack": MessagesSquare,
  "/settings": Settings,
  "/mailbox": Mailbox,
};

type Props = { items: readonly NavItem[]; waiting: number; onGo?: () => void };

export function NavList({ items, waiting, onGo }: Props) {
  const path = usePathname();
  return (
    <ul className="grid gap-0.5">
      {items.map((item) => (
        <li key={item.path}>
          <NavLink item={item} waiting={waiting} current={isWithin(path, item.path)} {...(onGo ? { onGo } : {})} />
        </li>
      ))}
    </ul>
  );
}

type LinkProps = { item: NavItem; waiting: number; current: boolean; onGo?: () => void };

function NavLink({ item, waiting, current, onGo }: LinkProps) {
  const Icon = ICONS[item.path] ?? ScrollText;
  const count = item.path === "/approvals" ? waiting : 0;
  const look = current ? "bg-selected font-semibold text-text" : "text-text2 hover:bg-sunken";
  return (
    <Link
      href={item.path as Route}
      prefetch={false}
      {...(onGo ? { onClick: onGo } : {})}
      aria-current={current ? "page" : undefined}
      className={`flex min-h-9 items-center gap-2.5 rounded-md px-2.5 coarse:min-h-11 ${look}`}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {item.label}
      {count > 0 ? (
        <span className="ml-auto font-semibold text-text">
          {count}
          <span className="sr-only"> waiting for you</span>
        </span>
      ) : null}
    </Link>
  );
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
