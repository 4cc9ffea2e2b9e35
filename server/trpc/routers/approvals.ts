import { pageSchema } from "@/server/domain/page";
import { approvalSchema, decidedSchema } from "@/server/services/approvals/answer-schema";
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
    output: pageSchema(approvalSchema),
  }),
  get: procedureOf(getApproval, {
    method: "GET",
    path: "/approvals/{id}",
    summary: "Read one approval.",
    tags,
    output: approvalSchema,
  }),
  decide: procedureOf(decideApproval, {
    method: "POST",
    path: "/approvals/{id}/decision",
    summary: "Approve or reject, with the digest that was seen.",
    tags,
    output: decidedSchema,
  }),
});
