import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { approvalQueue } from "@/app/_lib/approval-queue";
import { approvalDetail } from "@/app/_lib/approval-views";
import { ApprovalDetailView } from "@/app/_ui/approvals/approval-detail";
import { PhonePosition } from "@/app/_ui/approvals/phone-position";
import type { ApprovalRow } from "@/app/_ui/types";
import { getApproval } from "@/server/services/approvals/get";
import { similarRequests } from "@/server/services/approvals/similar";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const { rows } = await approvalQueue();
  const waiting = rows.filter((row) => row.status === "pending" && row.forYou).length;
  return { title: waiting > 0 ? `(${waiting}) Approval` : "Approval" };
}

export default async function ApprovalPage({ params }: Props) {
  const { id } = await params;
  const actor = await requireActor("approval:read");
  const [view, similar, { rows }] = await Promise.all([
    orNotFound(getApproval(actor, { id })),
    orNotFound(similarRequests(actor, { id })),
    approvalQueue(),
  ]);
  const at = rows.findIndex((row) => row.id === id);
  const previous = at > 0 ? rows[at - 1]?.id : undefined;
  const next = at >= 0 ? rows[at + 1]?.id : undefined;
  return (
    <>
      <PhonePosition
        position={at + 1}
        total={rows.length}
        {...(previous === undefined ? {} : { previous })}
        {...(next === undefined ? {} : { next })}
      />
      <ApprovalDetailView
        key={id}
        approval={approvalDetail(view, actor.permissions)}
        similar={similar}
        next={nextWaiting(rows, at)}
      />
    </>
  );
}

/** The next row behind this one that waits for this person, or the first of all. */
function nextWaiting(rows: readonly ApprovalRow[], at: number): string | undefined {
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  return others.find((row) => row.status === "pending" && row.forYou)?.id;
}
