import type { Route } from "next";
import Link from "next/link";
import { requestStatusText } from "@/app/_ui/pill";
import { REQUEST_STATUSES } from "@/server/domain/tool-request";

type Filter = { status: string | undefined; proposals: boolean };

/** Filters by status, or to proposals; the choice lives in the address. */
export function RequestFilter({ status, proposals }: Filter) {
  return (
    <nav aria-label="Filter requests" className="flex flex-wrap gap-1">
      <FilterLink label="all" isCurrent={status === undefined && !proposals} href="/requests" />
      <FilterLink label="proposals" isCurrent={proposals} href="/requests?proposals=true" />
      {REQUEST_STATUSES.map((one) => (
        <FilterLink
          key={one}
          label={requestStatusText(one)}
          isCurrent={status === one}
          href={`/requests?status=${one}`}
        />
      ))}
    </nav>
  );
}

/** Proposals that wait for somebody, or those that were taken up. */
export function ProposalFilter({ isTaken }: { isTaken: boolean }) {
  return (
    <nav aria-label="Filter proposals" className="flex flex-wrap gap-1">
      <FilterLink label="open" isCurrent={!isTaken} href="/proposals" />
      <FilterLink label="taken up" isCurrent={isTaken} href="/proposals?taken=true" />
    </nav>
  );
}

/** One choice of a filter whose state is the address. */
export function FilterLink({ label, isCurrent, href }: { label: string; isCurrent: boolean; href: string }) {
  return (
    <Link
      href={href as Route}
      prefetch={false}
      aria-current={isCurrent ? "true" : undefined}
      className={`inline-flex min-h-8 items-center rounded-md px-2.5 text-sm coarse:min-h-11 ${isCurrent ? "bg-selected font-semibold" : "text-text2 hover:bg-sunken"}`}
    >
      {label}
    </Link>
  );
}
