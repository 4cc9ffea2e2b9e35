import { formatCount, formatSpan, plural } from "@/app/_lib/format";
import { Empty } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { ApproverFigures } from "@/server/services/approver-safety/figures";

/** One row a person: how much they decided, how often they approved, and how long they had it before them. */
export function ApproverFigureList({ items, days }: { items: readonly ApproverFigures[]; days: number }) {
  if (items.length === 0) return <Empty card>Nobody decided anything in the last {plural(days, "day")}.</Empty>;
  return (
    <ul className="card divide-y divide-line" aria-label="Approvers">
      {items.map((item) => (
        <li key={item.id} className="grid gap-3 px-4 py-3">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <strong>
              <SafeText text={item.name} oneLine />
            </strong>
            <span className="text-text3">{item.role}</span>
            {item.longestRun > 1 ? <Pill tone="wait">{plural(item.longestRun, "quick approval")} in a row</Pill> : null}
            <span className="text-sm text-text3 sm:ml-auto">
              last decided <At time={item.lastAt} />
            </span>
          </span>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
            <Figure name="Decided">{formatCount(item.decided)}</Figure>
            <Figure name="Approved">{share(item.approved, item.decided)}</Figure>
            <Figure name="Opening to decision, median">
              {item.medianMs === null ? "not opened" : formatSpan(item.medianMs)}
            </Figure>
            <Figure name="Too quick">
              {formatCount(item.tooQuick)}
              {item.approved > 0 ? ` of ${formatCount(item.approved)} approved` : ""}
            </Figure>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-text3">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const share = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
