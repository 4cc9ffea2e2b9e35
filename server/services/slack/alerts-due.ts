import { findAlertsDue } from "@/server/db/system";

/** Organizations with alerts that are to be told: what a notification missed. */
export const alertsDue = (): Promise<string[]> => findAlertsDue();
