import { z } from "zod";
import { registerProvider } from "@/server/connectors/perform";
import { defineAction } from "@/server/domain/action";
import { registerAction } from "@/server/domain/actions/registry";

/** The benchmark's own action: allowed, without effect, through everything that any other call passes. */
export function registerNoop(): void {
  registerAction(
    defineAction<{ text: string }, { texts: boolean }>({
      name: "bench.noop",
      provider: "bench",
      summary: "Does nothing.",
      capability: "bench",
      revision: 1,
      risk: "low",
      undo: null,
      price: null,
      honoursIdempotencyKey: false,
      input: z.strictObject({ text: z.string().max(10_000) }),
      allowList: z.strictObject({ texts: z.boolean().default(false) }),
      effect: () => "read",
      irreversible: () => false,
      outward: () => false,
      targets: () => [],
      refuse: (allow) => (allow.texts ? null : { field: "text", rule: "host_not_allowed" }),
    }),
  );
  registerProvider({
    name: "bench",
    capabilities: ["bench"],
    config: z.strictObject({}),
    credentialKinds: [],
    account: () => "bench",
    perform: async () => ({ kind: "succeeded", result: { done: true } }),
  });
}
