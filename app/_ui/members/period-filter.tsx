import { plural } from "@/app/_lib/format";
import { FilterLink } from "@/app/_ui/requests/request-filter";

type Props = { path: string; periods: readonly number[]; days: number };

/** How far back a page looks; the choice lives in the address. */
export function PeriodFilter({ path, periods, days }: Props) {
  return (
    <nav aria-label="Period" className="flex flex-wrap gap-1">
      {periods.map((period) => (
        <FilterLink
          key={period}
          label={plural(period, "day")}
          isCurrent={period === days}
          href={`${path}?days=${period}`}
        />
      ))}
    </nav>
  );
}
