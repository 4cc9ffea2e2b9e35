"use client";

import { useParams } from "next/navigation";
import type { ReactNode } from "react";

/** Two columns on a wide screen. On a narrow one the list gives way once something is open. */
export function FrameColumns({ list, children }: { list: ReactNode; children: ReactNode }) {
  const { id } = useParams<{ id?: string }>();
  return (
    <div className="flex min-w-0 flex-1 flex-col lg:grid lg:grid-cols-[23rem_minmax(0,1fr)]">
      <section
        aria-label="Waiting for a decision"
        className={`border-line lg:sticky lg:top-0 lg:h-dvh lg:overflow-auto lg:border-r ${id ? "max-lg:hidden" : ""}`}
      >
        {list}
      </section>
      <div className={`flex min-w-0 flex-1 flex-col ${id ? "" : "max-lg:hidden"}`}>{children}</div>
    </div>
  );
}

/** The page's own heading, as long as nothing with a heading of its own is open beside it. */
export function ListHeading() {
  const { id } = useParams<{ id?: string }>();
  const Heading = id ? "h2" : "h1";
  return <Heading className="text-md font-semibold">Approvals</Heading>;
}
