import type { Route } from "next";
import Link from "next/link";

/** The way to older rows. Filters stay in the address. */
export function Older({
  path,
  params,
  cursor,
}: {
  path: string;
  params: Record<string, string>;
  cursor: string | null;
}) {
  if (cursor === null) return null;
  const query = new URLSearchParams({ ...params, cursor });
  return (
    <p className="px-4 py-3">
      <Link className="btn" href={`${path}?${query}` as Route} prefetch={false}>
        Show older
      </Link>
    </p>
  );
}

/** The frame of an ordinary page: one column, room at the sides. */
export function Page({ children }: { children: React.ReactNode }) {
  return <div className="grid min-w-0 max-w-[76rem] content-start gap-6 px-4 py-5 lg:px-8 lg:py-6">{children}</div>;
}
