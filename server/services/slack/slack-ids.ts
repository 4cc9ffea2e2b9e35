import { z } from "zod";

/** Slack's own ids, in the forms it gives them. */
export const teamIdSchema = z.string().regex(/^[TE][A-Z0-9_]{1,30}$/, "must look like T…");
export const channelIdSchema = z.string().regex(/^[CG][A-Z0-9_]{1,30}$/, "must look like C…");
export const userIdSchema = z.string().regex(/^[UW][A-Z0-9_]{1,30}$/, "must look like U…");
