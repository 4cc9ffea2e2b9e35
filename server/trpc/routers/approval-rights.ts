import { z } from "zod";
import { giveRight } from "@/server/services/approval-rights/give";
import { listRights } from "@/server/services/approval-rights/list";
import { rightSchema } from "@/server/services/approval-rights/right-view";
import { withdrawRight } from "@/server/services/approval-rights/withdraw";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Members"] as const;

export const approvalRightsRouter = router({
  list: procedureOf(listRights, {
    method: "GET",
    path: "/approval-rights",
    summary: "List the rights to approve that members hold beside their role.",
    tags,
    output: z.strictObject({ items: z.array(rightSchema) }),
  }),
  give: procedureOf(giveRight, {
    method: "POST",
    path: "/approval-rights",
    summary: "Let a member decide up to a risk, for some departments, actions or connections.",
    tags,
    successStatuses: [201],
    output: rightSchema,
    example: { member: "mem_01JD0000000000000000000000", maxRisk: "medium", actions: ["email.send"] },
  }),
  withdraw: procedureOf(withdrawRight, {
    method: "DELETE",
    path: "/approval-rights/{id}",
    summary: "Take a right to approve back. What it approved and has not run yet counts no more.",
    tags,
    output: z.strictObject({ id: z.string() }),
  }),
});
