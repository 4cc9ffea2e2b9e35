import type { Metadata } from "next";
import { approvalQueue } from "@/app/_lib/approval-queue";

export async function generateMetadata(): Promise<Metadata> {
  const { rows } = await approvalQueue();
  const waiting = rows.filter((row) => row.status === "pending" && row.forYou).length;
  return { title: waiting > 0 ? `(${waiting}) Approvals` : "Approvals" };
}

/** The list stands beside it; on a phone it stands alone. */
export default async function ApprovalsPage() {
  const { rows } = await approvalQueue();
  const waits = rows.some((row) => row.status === "pending");
  return (
    <div className="grid flex-1 content-center justify-items-center gap-2 p-8 text-text2 max-lg:hidden">
      {waits ? (
        <p>
          Press <kbd className="rounded-sm border border-edge px-1.5">j</kbd> to open the first one.
        </p>
      ) : (
        <p>Nothing waits. New requests appear here by themselves.</p>
      )}
    </div>
  );
}
