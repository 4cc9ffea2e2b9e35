import "server-only";
import { cache } from "react";
import type { ApprovalRow } from "@/app/_ui/types";
import { listApprovals } from "@/server/services/approvals/list";
import { requireActor } from "./actor";
import { approvalRow } from "./approval-views";

const RECENT = 5;

/** The inbox: what waits, oldest first, then what was decided last. Read once a rendering. */
export const approvalQueue = cache(async (): Promise<{ rows: ApprovalRow[]; more: boolean }> => {
  const actor = await requireActor("approval:read");
  const [pending, approved, rejected] = await Promise.all([
    listApprovals(actor, { status: "pending", limit: 100 }),
    listApprovals(actor, { status: "approved", limit: RECENT }),
    listApprovals(actor, { status: "rejected", limit: RECENT }),
  ]);
  const open = pending.items.map(approvalRow);
  const decided = [...approved.items, ...rejected.items].map(approvalRow).sort(byDecision).slice(0, RECENT);
  const rows = [...open.filter((row) => row.forYou), ...open.filter((row) => !row.forYou), ...decided];
  return { rows, more: pending.nextCursor !== null };
});

function byDecision(a: ApprovalRow, b: ApprovalRow): number {
  return (b.decided?.at.getTime() ?? 0) - (a.decided?.at.getTime() ?? 0);
}
