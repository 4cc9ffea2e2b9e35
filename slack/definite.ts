import { WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";

/** Slack said no, so that nothing was posted; after any other failure a message may be there. */
export const isDefinite = (error: unknown): boolean =>
  error instanceof WebAPIPlatformError || error instanceof WebAPIRateLimitedError;
