import { deny, PASS } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";
import { grantsFor } from "@/server/gateway/choose-grant";

/** This agent, this connection, this action, and the grant is in force. */
export const grant: Check = {
  name: "grant",
  run(call, facts) {
    if (facts.connection === null) return deny("no_grant");
    if (grantsFor(call, facts).length > 0) return PASS;
    const named = facts.grants.filter((candidate) => candidate.actions.includes(call.action.name));
    if (named.length === 0) return deny("no_grant");
    const isCurrent = named.some((candidate) => candidate.expiresAt === null || candidate.expiresAt > facts.now);
    return deny(isCurrent ? "grant_read_only" : "grant_expired");
  },
};
