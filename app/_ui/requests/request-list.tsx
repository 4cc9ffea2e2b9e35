import Link from "next/link";
import { Empty } from "@/app/_ui/bits";
import { Ago } from "@/app/_ui/clock";
import { RequestStatusPill, RiskPill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { Risk } from "@/server/domain/action";
import type { RequestStatus } from "@/server/domain/tool-request";

export type RequestRow = {
  id: string;
  status: RequestStatus;
  risk: Risk;
  action: string;
  /** Null where this person may not see content, or none was stored. */
  headline: string | null;
  agentName: string;
  connectionName: string | null;
  isProposal: boolean;
  isTakenUp: boolean;
  createdAt: Date;
};

type Props = {
  rows: readonly RequestRow[];
  /** Whether a filter is set that can be cleared. */
  filtered?: boolean;
  /** What to say where there is no row. */
  empty?: string;
};

export function RequestList({ rows, filtered = false, empty }: Props) {
  if (rows.length === 0) {
    return (
      <Empty>
        <p>{empty ? empty : filtered ? "Nothing matches this filter." : "No agent has asked for anything yet."}</p>
        {filtered ? (
          <Link className="btn" href={"/requests"} prefetch={false}>
            Clear filter
          </Link>
        ) : null}
      </Empty>
    );
  }
  return (
    <table className="table table-stack">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Request</th>
          <th scope="col">Agent</th>
          <th scope="col">Connection</th>
          <th scope="col">Asked</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <RequestLine key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function RequestLine({ row }: { row: RequestRow }) {
  return (
    <tr>
      <td>
        <span className="flex flex-wrap gap-1.5">
          <RequestStatusPill status={row.status} />
          {row.isProposal ? <span className="pill pill-plain">{row.isTakenUp ? "taken up" : "proposal"}</span> : null}
        </span>
      </td>
      <td>
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <Link
            className="min-w-0 font-semibold underline-offset-2 hover:underline"
            href={`/requests/${row.id}`}
            prefetch={false}
          >
            <SafeText text={row.headline ?? row.action} oneLine />
          </Link>
          {row.risk === "low" ? null : <RiskPill risk={row.risk} />}
        </span>
        <span className="flex flex-wrap gap-x-2 text-sm text-text3">
          {row.headline === null ? null : <SafeText text={row.action} oneLine />}
          <code>…{row.id.slice(-6)}</code>
        </span>
      </td>
      <td data-label="Agent">
        <SafeText text={row.agentName} oneLine />
      </td>
      <td data-label="Connection">
        {row.connectionName === null ? (
          <i className="text-text3">none</i>
        ) : (
          <SafeText text={row.connectionName} oneLine />
        )}
      </td>
      <td data-label="Asked" className="whitespace-nowrap text-text2">
        <Ago at={row.createdAt} />
      </td>
    </tr>
  );
}
