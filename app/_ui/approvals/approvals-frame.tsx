import type { ReactNode } from "react";
import { Empty } from "@/app/_ui/bits";
import type { ApprovalRow } from "@/app/_ui/types";
import { ApprovalList } from "./approval-list";
import { ApprovalRowView } from "./approval-row";
import { FrameColumns, ListHeading } from "./frame-columns";
import { MovingProvider } from "./moving";

type Props = { rows: readonly ApprovalRow[]; more: boolean; children: ReactNode };

/** List and detail side by side; on a phone one or the other. */
export function ApprovalsFrame({ rows, more, children }: Props) {
  const open = rows.filter((row) => row.status === "pending");
  const forYou = open.filter((row) => row.forYou).length;
  const entries = rows.map((row) => ({
    id: row.id,
    isOpen: row.status === "pending",
    node: <ApprovalRowView row={row} />,
  }));
  return (
    <MovingProvider>
      <FrameColumns
        list={
          <>
            <ApprovalList
              entries={entries}
              empty={<NothingWaits />}
              heading={
                <>
                  <ListHeading />
                  <span className="text-sm text-text3">
                    {forYou} for you{open.length > forYou ? `, ${open.length - forYou} for others` : ""}
                  </span>
                </>
              }
            />
            {more ? <p className="px-4 py-3 text-sm text-text2">More than 100 wait. The oldest are shown.</p> : null}
          </>
        }
      >
        {children}
      </FrameColumns>
    </MovingProvider>
  );
}

function NothingWaits() {
  return (
    <Empty>
      <p>Nothing waits for you.</p>
    </Empty>
  );
}
