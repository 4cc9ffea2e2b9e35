import { Ago, DecideWithin } from "@/app/_ui/clock";
import { ApprovalStatusPill, RiskPill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { ApprovalRow } from "@/app/_ui/types";

/** Two lines: risk, what, time left; who asks and where it goes. */
export function ApprovalRowView({ row }: { row: ApprovalRow }) {
  const isOpen = row.status === "pending";
  return (
    <span className={`grid gap-1 ${isOpen ? "" : "text-text3"}`}>
      <span className="flex min-w-0 items-center gap-2">
        {isOpen ? <RiskPill risk={row.risk} /> : <ApprovalStatusPill status={row.status} />}
        <span className="min-w-0 truncate font-semibold">
          <SafeText text={row.title} oneLine />
        </span>
        <span className="ml-auto text-sm whitespace-nowrap text-text3">
          {isOpen ? <DecideWithin until={row.expiresAt} short /> : null}
          {row.endedAt ? <Ago at={row.endedAt} /> : null}
        </span>
      </span>
      <span className="flex min-w-0 gap-2 text-sm text-text2">
        {row.decided && isByPerson(row) ? (
          <span className="truncate">
            by <SafeText text={row.decided.name} oneLine />
          </span>
        ) : (
          <RowTarget row={row} />
        )}
        {isOpen && forWhom(row) ? <span className="ml-auto whitespace-nowrap text-text3">{forWhom(row)}</span> : null}
      </span>
    </span>
  );
}

/** Somebody may have approved before it expired or was withdrawn: that ended it not. */
const isByPerson = ({ status }: ApprovalRow): boolean => status === "approved" || status === "rejected";

function forWhom({ nobodyCan, forYou, risk, ownRequest }: ApprovalRow): string {
  if (ownRequest === "could") return forYou ? "your own request" : "the owner's own request";
  if (!forYou) return nobodyCan ? "nobody can approve" : "for others";
  return risk === "high" ? "one by one" : "";
}

function RowTarget({ row }: { row: ApprovalRow }) {
  return (
    <>
      <span className="max-w-[50%] shrink-0 truncate">
        <SafeText text={row.agentName} oneLine />
      </span>
      <span aria-hidden>·</span>
      <span className="min-w-0 truncate">
        <SafeText text={row.target} oneLine mono />
      </span>
    </>
  );
}
