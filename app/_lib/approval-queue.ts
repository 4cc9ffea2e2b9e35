import "server-only";
import { cache } from "react";
import type { ApprovalRow } from "@/app/_ui/types";
import { listApprovals } from "@/server/services/approvals/list";
import { requireActor } from "./actor";
import { approvalRow } from "./approval-views";

const RECENT = 5;

/** How an approval ends. One that is asked anew is void, and stands under its new id. */
const ENDS = ["approved", "rejected", "expired", "withdrawn"] as const;

/** The inbox: what waits, oldest first, then what ended last. Read once a rendering. */
export const approvalQueue = cache(async (): Promise<{ rows: ApprovalRow[]; more: boolean }> => {
  const actor = await requireActor("approval:read");
  const [mine, pending, ...ended] = await Promise.all([
    listApprovals(actor, { status: "pending", forMe: true, limit: 100 }),
    listApprovals(actor, { status: "pending", limit: 100 }),
    ...ENDS.map((status) => listApprovals(actor, { status, limit: RECENT })),
  ]);
  // What waits for others may fill a page by itself: one's own is read first.
  const open = [...new Map([...mine.items, ...pending.items].map((one) => [one.id, one])).values()].map(approvalRow);
  const over = ended.flatMap(({ items }) => items.map(approvalRow)).sort(byEnd);
  const rows = [...open.filter((row) => row.forYou), ...open.filter((row) => !row.forYou), ...over.slice(0, RECENT)];
  return { rows, more: mine.nextCursor !== null || pending.nextCursor !== null };
});

const byEnd = (a: ApprovalRow, b: ApprovalRow): number => (b.endedAt?.getTime() ?? 0) - (a.endedAt?.getTime() ?? 0);
