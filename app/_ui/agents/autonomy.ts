import type { Autonomy } from "@/server/domain/facts";

export const AUTONOMY_WORDS: Readonly<Record<Autonomy, { short: string; long: string }>> = {
  suggest: { short: "suggest", long: "suggest: effects become proposals that a person may take up" },
  approve_each: { short: "approve each", long: "approve each: every effect asks a person" },
  supervised: {
    short: "supervised",
    long: "supervised: asks for what is final, leaves the house or reaches somebody new",
  },
  autonomous: { short: "autonomous", long: "autonomous: asks only where the floor or a rule says so" },
};
