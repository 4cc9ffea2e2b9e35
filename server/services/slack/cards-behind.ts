import { type DueApproval, findCardsBehind } from "@/server/db/system";

/** Approvals whose card in Slack is behind, across organizations: what an event missed. */
export const cardsBehind = (): Promise<DueApproval[]> => findCardsBehind();
