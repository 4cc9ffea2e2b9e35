import type { Route } from "next";
import Link from "next/link";
import { requestStatusText } from "@/app/_ui/pill";
import { REQUEST_STATUSES } from "@/server/domain/tool-request";

/** Filters by status; the choice lives in the address. */
export function RequestFilter({ status }: { status: string | undefined }) {
  return (
    <nav aria-label="Filter by status" className="flex flex-wrap gap-1">
      <FilterLink label="all" isCurrent={status === undefined} href="/requests" />
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

function FilterLink({ label, isCurrent, href }: { label: string; isCurrent: boolean; href: string }) {
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
