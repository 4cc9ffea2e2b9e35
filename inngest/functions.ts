import { awaitApproval } from "@/inngest/functions/await-approval";
import { executeDueRequest } from "@/inngest/functions/execute-request";
import { sealAudit } from "@/inngest/functions/seal-audit";
import { sweep } from "@/inngest/functions/sweep";

/** Every function that waits or retries. The local engine and Inngest run the same list. */
export const functions = [awaitApproval, executeDueRequest, sealAudit, sweep];
