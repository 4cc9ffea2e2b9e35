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
  const maySelect = open.some((row) => row.forYou);
  const entries = rows.map((row) => ({
    id: row.id,
    isOpen: row.status === "pending",
    digest: row.digest,
    title: row.title,
    target: row.target,
    words: wordsOf(row),
    forYou: row.forYou,
    ...whyOne(row),
    node: <ApprovalRowView row={row} />,
  }));
  return (
    <MovingProvider>
      <FrameColumns
        list={
          <>
            <ApprovalList
              entries={entries}
              maySelect={maySelect}
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
            {open.some((row) => row.ownRequest === "could") ? <MayDecideOwn /> : null}
            {more ? <p className="px-4 py-3 text-sm text-text2">More than 100 wait. The oldest are shown.</p> : null}
          </>
        }
      >
        {children}
      </FrameColumns>
    </MovingProvider>
  );
}

const wordsOf = ({ title, target, agentName, risk, status }: ApprovalRow): string =>
  [title, target, agentName, `${risk} risk`, status].join("\n");

/** Why a row cannot be selected with others, if so. */
function whyOne({ forYou, risk }: ApprovalRow): { whyOne?: string } {
  if (!forYou) return { whyOne: "It is not for you to decide." };
  return risk === "high" ? { whyOne: "High risk is decided one by one: open it." } : {};
}

/** The rows say which. */
function MayDecideOwn() {
  return (
    <p className="notice notice-wait m-4">
      Some of these may be decided by who asked for them, since nobody else can. No second person looks at those.
    </p>
  );
}

function NothingWaits() {
  return (
    <Empty>
      <p>Nothing waits for you.</p>
    </Empty>
  );
}
