import { whoami } from "@/server/services/identity/whoami";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Me"] as const;

export const meRouter = router({
  get: procedureOf(whoami, { method: "GET", path: "/me", summary: "Say whose credential this is", tags }),
});
