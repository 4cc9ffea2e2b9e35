import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { listApprovals } from "@/server/services/approvals/list";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Approvals"] as const;

export const approvalsRouter = router({
  list: procedureOf(listApprovals, {
    method: "GET",
    path: "/approvals",
    summary: "List approvals with the exact call each asks for.",
    tags,
  }),
  get: procedureOf(getApproval, { method: "GET", path: "/approvals/{id}", summary: "Read one approval.", tags }),
  decide: procedureOf(decideApproval, {
    method: "POST",
    path: "/approvals/{id}/decision",
    summary: "Approve or reject, with the digest that was seen.",
    tags,
  }),
});
