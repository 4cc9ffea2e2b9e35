"use client";

import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";

/** Short notes on what has just been done. Nothing that matters is only here. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={8000} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-28 z-60 mx-auto grid max-w-sm gap-2 lg:inset-x-auto lg:right-4 lg:w-96">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg border border-edge bg-raised p-3 shadow-lg transition-opacity duration-120 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="text-sm text-text2" />
        </div>
        <Toast.Action className="btn" />
        <Toast.Close className="btn btn-quiet" aria-label="Close">
          <X size={16} strokeWidth={1.75} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

type Note = { title: string; text?: string; undo?: { label: string; run: () => void } };

/** Shows a note. `undo` offers the way back for as long as the note is there. */
export function useNote(): (note: Note) => void {
  const { add } = Toast.useToastManager();
  return ({ title, text, undo }) => {
    add({
      title,
      ...(text === undefined ? {} : { description: text }),
      ...(undo ? { actionProps: { children: undo.label, onClick: undo.run } } : {}),
    });
  };
}
