"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { type KeyBinding, useBindings, useKey } from "./keys";

type Place = { key: string; label: string };

/** The list of keys, on `?`. */
export function KeyHelp({ places }: { places: readonly Place[] }) {
  const [open, setOpen] = useState(false);
  const [bindings, setBindings] = useState<KeyBinding[]>([]);
  const read = useBindings();
  useKey("?", "Show the keys", () => {
    setBindings(read().bindings);
    setOpen(true);
  });
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="popup grid gap-4">
          <Dialog.Title className="text-md font-semibold">Keys</Dialog.Title>
          <Dialog.Description className="text-text2">
            They rest while you type. Settings can switch them off.
          </Dialog.Description>
          <KeyList title="Here" rows={bindings.map(({ key, label }) => ({ keys: [key], label }))} />
          <KeyList title="Go to" rows={places.map(({ key, label }) => ({ keys: ["g", key], label }))} />
          <Dialog.Close className="btn justify-self-end">Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function KeyList({ title, rows }: { title: string; rows: readonly { keys: string[]; label: string }[] }) {
  return (
    <div>
      <h3 className="mb-1 text-sm text-text3">{title}</h3>
      <ul className="grid gap-1">
        {rows.map(({ keys, label }) => (
          <li key={keys.join(" ") + label} className="flex justify-between gap-4">
            {label}
            <span className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-sm border border-edge px-1.5 text-xs">
                  {key}
                </kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
