import type { ReactNode } from "react";

type CheckProps = { label: ReactNode; checked: boolean; onChange: () => void };

/** A choice that belongs to a part of a condition, not to the form: it has no name and is not sent. */
export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 coarse:min-h-11">
      <input type="checkbox" checked={checked} onChange={onChange} className="size-4 shrink-0 accent-ink" />
      <span className="min-w-0">{label}</span>
    </label>
  );
}

export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="grid gap-1">
      <span className="text-sm font-semibold">{label}</span>
      {children}
    </label>
  );
}
