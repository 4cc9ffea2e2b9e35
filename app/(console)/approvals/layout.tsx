import type { ReactNode } from "react";
import { approvalQueue } from "@/app/_lib/approval-queue";
import { ApprovalsFrame } from "@/app/_ui/approvals/approvals-frame";

export default async function ApprovalsLayout({ children }: { children: ReactNode }) {
  const { rows, more } = await approvalQueue();
  return (
    <ApprovalsFrame rows={rows} more={more}>
      {children}
    </ApprovalsFrame>
  );
}
