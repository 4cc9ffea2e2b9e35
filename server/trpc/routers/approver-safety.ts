import { changeApproverSafety } from "@/server/services/approver-safety/change";
import { approverFigures, approverFiguresSchema } from "@/server/services/approver-safety/figures";
import { approverSafetySchema, getApproverSafety } from "@/server/services/approver-safety/get";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Approver safety"] as const;

export const approverSafetyRouter = router({
  get: procedureOf(getApproverSafety, {
    method: "GET",
    path: "/approver-safety",
    summary: "Read what the organization sets about its approvers.",
    tags,
    output: approverSafetySchema,
  }),
  figures: procedureOf(approverFigures, {
    method: "GET",
    path: "/approver-safety/figures",
    summary: "Read how people decided in the last days: times, shares and runs of quick approvals. For owners.",
    tags,
    output: approverFiguresSchema,
  }),
  change: procedureOf(changeApproverSafety, {
    method: "PATCH",
    path: "/approver-safety",
    summary: "Change what the organization sets about its approvers.",
    tags,
    output: approverSafetySchema,
    example: { version: 0, ownerDecidesOwn: false },
  }),
});
