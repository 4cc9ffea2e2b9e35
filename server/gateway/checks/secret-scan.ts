import { deny, PASS } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";

/** Nothing that looks like a secret leaves, by a read as little as by an effect. Says where and what kind, never the value. */
export const secretScan: Check = {
  name: "secret_scan",
  run(_call, facts) {
    const [hit] = facts.secretHits;
    return hit ? deny("secret_found", { field: hit.field, detail: hit.kind }) : PASS;
  },
};
