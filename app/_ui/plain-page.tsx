import type { ReactNode } from "react";

/** A page without navigation: signed out, missing or failed. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 px-4 py-12">
      <p className="text-md font-bold">Countersign</p>
      <h1 className="text-lg font-semibold text-balance">{title}</h1>
      {children}
    </main>
  );
}
