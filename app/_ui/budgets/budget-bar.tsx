import { formatMicros } from "@/app/_lib/format";
import type { BudgetView } from "@/server/services/budgets/budget-view";

const WIDTH = 1000;

/** Spent, hatched what running requests hold, and the room that is left; the numbers stand beside it in words. */
export function BudgetBar({ budget }: { budget: BudgetView }) {
  const { capMicros, spentMicros, reservedMicros, currency, id } = budget;
  const spent = share(spentMicros, capMicros);
  const held = Math.min(share(reservedMicros, capMicros), WIDTH - spent);
  const left = capMicros - spentMicros - reservedMicros;
  return (
    <div className="grid gap-1.5">
      <svg viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" className="h-3 w-full" aria-hidden="true">
        <defs>
          <pattern id={`held-${id}`} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="4" height="8" className="fill-ink" />
          </pattern>
        </defs>
        <rect width={WIDTH} height="24" rx="6" className="fill-sunken stroke-line" />
        <rect width={spent} height="24" rx="6" className={left < 0n ? "fill-stop" : "fill-ink"} />
        <rect x={spent} width={held} height="24" fill={`url(#held-${id})`} />
      </svg>
      <p className="flex flex-wrap gap-x-4 text-sm">
        <span>
          <strong>{formatMicros(spentMicros, currency)}</strong> spent
        </span>
        <span>{formatMicros(reservedMicros, currency)} held</span>
        <span>of {formatMicros(capMicros, currency)}</span>
        <span className={left <= 0n ? "font-semibold text-stop" : "text-text2"}>
          {left < 0n ? `${formatMicros(-left, currency)} over` : `${formatMicros(left, currency)} left`}
        </span>
      </p>
    </div>
  );
}

function share(part: bigint, whole: bigint): number {
  if (whole <= 0n) return part > 0n ? WIDTH : 0;
  return Math.min(WIDTH, Number((part * BigInt(WIDTH)) / whole));
}
