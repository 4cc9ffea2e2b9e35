import { z } from "zod";
import type { ActionArguments, ActionDefinition, Classification } from "@/server/domain/action";
import type { JsonObject } from "@/server/domain/json";

export const REQUEST_STATUSES = [
  "denied",
  "pending",
  "ready",
  "scheduled",
  "executing",
  "succeeded",
  "failed",
  "outcome_unknown",
  "rejected",
  "expired",
  "withdrawn",
  "cancelled",
] as const;
export const requestStatusSchema = z.enum(REQUEST_STATUSES);
export type RequestStatus = z.infer<typeof requestStatusSchema>;

/** One call as the checks see it: parsed, classified, and the plain value that is stored and hashed. */
export type ToolCall = {
  readonly action: ActionDefinition;
  readonly args: ActionArguments;
  readonly json: JsonObject;
  readonly note: string | undefined;
  readonly classification: Classification;
};

/** What is approved or allowed must be claimed this soon after it could run, or it goes back to the queue. */
export const CLAIM_WINDOW_S = 900;
/** A claimed run that says nothing for this long is taken for crashed. Longer than any connector may take. */
export const CLAIM_LEASE_S = 120;
