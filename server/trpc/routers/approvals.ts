import { z } from "zod";
import { changedSinceSchema } from "@/server/domain/changed-since";
import { pageSchema } from "@/server/domain/page";
import { approvalSchema, decidedManySchema, decidedSchema } from "@/server/services/approvals/answer-schema";
import { decideApproval } from "@/server/services/approvals/decide";
import { decideApprovals } from "@/server/services/approvals/decide-many";
import { editAndApprove } from "@/server/services/approvals/edit";
import { getApproval } from "@/server/services/approvals/get";
import { listApprovals } from "@/server/services/approvals/list";
import { openApproval } from "@/server/services/approvals/open";
import { similarRequests, similarSchema } from "@/server/services/approvals/similar";
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
    output: approvalSchema.extend({
      changedSince: changedSinceSchema
        .nullable()
        .describe("Of what has waited for more than a day and does not expire; null otherwise."),
    }),
  }),
  similar: procedureOf(similarRequests, {
    method: "GET",
    path: "/approvals/{id}/similar",
    summary: "Read what the agent asked of the same kind before, and what came of it.",
    tags,
    output: similarSchema,
  }),
  open: procedureOf(openApproval, {
    method: "POST",
    path: "/approvals/{id}/opening",
    summary: "Note that you have it before you: from then on counts how long you took to decide.",
    tags,
    output: z.strictObject({}),
  }),
  decide: procedureOf(decideApproval, {
    method: "POST",
    path: "/approvals/{id}/decision",
    summary: "Approve or reject, with the digest that was seen.",
    tags,
    output: decidedSchema,
  }),
  edit: procedureOf(editAndApprove, {
    method: "POST",
    path: "/approvals/{id}/edit",
    summary: "Approve with less in it or another text: a new version, bound to a digest of its own.",
    tags,
    output: decidedSchema,
    example: {
      digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      arguments: { to: ["ada@customer.example"], subject: "Your order", text: "It leaves tomorrow." },
    },
  }),
  decideMany: procedureOf(decideApprovals, {
    method: "POST",
    path: "/approvals/decisions",
    summary: "Approve or reject up to 50 at once, each with the digest that was seen. High risk is decided one by one.",
    tags,
    output: decidedManySchema,
    example: {
      decision: "reject",
      reason: "The campaign is over.",
      items: [
        {
          id: "apr_01JDXK3T9V5M2Q8R4W7Y6Z0ABC",
          digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        },
      ],
    },
  }),
});
