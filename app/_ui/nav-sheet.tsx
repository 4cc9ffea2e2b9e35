"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Menu, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { NavItem } from "./nav";
import { NavList } from "./nav-list";

type Props = { items: readonly NavItem[]; waiting: number; children: ReactNode };

/** The navigation on a phone. */
export function NavSheet({ items, waiting, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Dialog.Trigger className="btn btn-quiet relative px-2.5" aria-label={menuName(waiting)}>
        <Menu size={20} strokeWidth={1.75} aria-hidden />
        {waiting > 0 ? <span className="text-sm font-semibold">{waiting}</span> : null}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="sheet">
          <div className="mb-2 flex items-center justify-between">
            <Dialog.Title className="px-2.5 text-md font-bold">Countersign</Dialog.Title>
            <Dialog.Close className="btn btn-quiet px-2.5" aria-label="Close the menu">
              <X size={20} strokeWidth={1.75} aria-hidden />
            </Dialog.Close>
          </div>
          <nav aria-label="Main">
            <NavList items={items} waiting={waiting} onGo={() => setOpen(false)} />
          </nav>
          <div className="mt-4 border-t border-line pt-4">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function menuName(waiting: number): string {
  return waiting > 0 ? `Menu, ${waiting} waiting for you` : "Menu";
}
