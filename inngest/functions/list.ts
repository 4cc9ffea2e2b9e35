import type { ServedFunctions } from "@/inngest/serve";

/** Every function there is, for whoever serves them. */
export const functions: ServedFunctions = [];
