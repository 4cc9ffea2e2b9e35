import Link from "next/link";
import { Section } from "@/app/_ui/bits";
import { Ago } from "@/app/_ui/clock";
import { RequestStatusPill, requestStatusText } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import { REQUEST_STATUSES } from "@/server/domain/tool-request";
import type { Similar as SimilarRequests } from "@/server/services/approvals/similar";

type Props = { similar: SimilarRequests; action: string };

/** What the agent asked of this kind before, over the same connection, and what came of it. */
export function Similar({ similar: { counts, items }, action }: Props) {
  return (
    <Section title="Like it before" id="similar">
      {items.length === 0 ? (
        <p className="text-text2">
          The first <code>{action}</code> of this agent over this connection.
        </p>
      ) : (
        <>
          <p className="text-sm text-text3">{summaryOf(counts)}</p>
          <ul className="grid gap-1.5">
            {items.map((item) => (
              <li key={item.id} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
                <RequestStatusPill status={item.status} />
                <Link href={`/requests/${item.id}`} className="link min-w-0 truncate" prefetch={false}>
                  <SafeText text={item.headline ?? action} oneLine />
                </Link>
                <span className="text-sm whitespace-nowrap text-text3">
                  <Ago at={item.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** "12 succeeded, 2 rejected": in the order of a request's life. */
function summaryOf(counts: SimilarRequests["counts"]): string {
  const parts = REQUEST_STATUSES.flatMap((status) =>
    counts[status] ? [`${counts[status]} ${requestStatusText(status)}`] : [],
  );
  return `Of its latest requests: ${parts.join(", ")}.`;
}
