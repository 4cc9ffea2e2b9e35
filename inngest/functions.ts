import { awaitApproval } from "@/inngest/functions/await-approval";
import { executeDueRequest } from "@/inngest/functions/execute-request";
import { keepCards, sweepCards } from "@/inngest/functions/keep-cards";
import { mailNotices } from "@/inngest/functions/mail-notices";
import { returnStoppedRequests } from "@/inngest/functions/return-stopped";
import { sealAudit } from "@/inngest/functions/seal-audit";
import { sweep } from "@/inngest/functions/sweep";

/** Every function that waits or retries. The local engine and Inngest run the same list. */
export const functions = [
  awaitApproval,
  executeDueRequest,
  keepCards,
  mailNotices,
  returnStoppedRequests,
  sealAudit,
  sweep,
  sweepCards,
];
