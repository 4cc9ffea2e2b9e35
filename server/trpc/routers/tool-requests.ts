import { answerSchema, movedSchema, requestPageSchema, toolsSchema } from "@/server/services/requests/answer-schema";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { describeToolRequest } from "@/server/services/requests/detail";
import { requestDetailSchema } from "@/server/services/requests/detail-schema";
import { getToolRequest } from "@/server/services/requests/get";
import { listToolRequests } from "@/server/services/requests/list";
import { listTools } from "@/server/services/requests/list-tools";
import { resolveToolRequest } from "@/server/services/requests/resolve";
import { submitToolRequest } from "@/server/services/requests/submit";
import { takeUpProposal } from "@/server/services/requests/take-up";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Tool requests"] as const;
const DONE = new Set(["succeeded", "failed", "outcome_unknown"]);

export const toolRequestsRouter = router({
  submit: procedureOf(submitToolRequest, {
    method: "POST",
    path: "/tool-requests",
    summary: "Ask for a tool call. It runs, waits for a person or an undo window, or is refused.",
    tags,
    output: answerSchema,
    status: (answer) => (DONE.has(answer.status) ? 200 : 202),
    successStatuses: [200, 202],
    example: {
      action: "http.request",
      connection: "con_01JDXK3T9V5M2Q8R4W7Y6Z0ABC",
      arguments: { method: "GET", url: "https://api.example.com/v1/status" },
    },
  }),
  list: procedureOf(listToolRequests, {
    method: "GET",
    path: "/tool-requests",
    summary: "List requests, newest first.",
    tags,
    output: requestPageSchema,
  }),
  get: procedureOf(getToolRequest, {
    method: "GET",
    path: "/tool-requests/{id}",
    summary: "Read a request's state; with wait and after, as soon as its version is newer.",
    tags,
    output: answerSchema,
  }),
  describe: procedureOf(describeToolRequest, {
    method: "GET",
    path: "/tool-requests/{id}/details",
    summary: "Read a request with its exact call and its timeline.",
    tags,
    output: requestDetailSchema,
  }),
  cancel: procedureOf(cancelToolRequest, {
    method: "POST",
    path: "/tool-requests/{id}/cancel",
    summary: "Withdraw a pending request, or stop one inside its undo window.",
    tags,
    output: movedSchema,
  }),
  takeUp: procedureOf(takeUpProposal, {
    method: "POST",
    path: "/tool-requests/{id}/take-up",
    summary: "Take up a proposal: its call becomes a request that somebody else has to approve.",
    tags,
    output: answerSchema,
    successStatuses: [202],
  }),
  resolve: procedureOf(resolveToolRequest, {
    method: "POST",
    path: "/tool-requests/{id}/resolve",
    summary: "Say whether an effect of unknown outcome happened.",
    tags,
    output: movedSchema,
  }),
});

export const toolsRouter = router({
  list: procedureOf(listTools, {
    method: "GET",
    path: "/tools",
    summary: "List what the calling agent may ask for, with JSON Schemas.",
    tags: ["Tools"],
    output: toolsSchema,
  }),
});
