import { z } from "zod";
import { type ActionDefinition, defineAction } from "@/server/domain/action";
import { registerAction } from "@/server/domain/actions/registry";
import { declaredAmount } from "@/server/domain/amounts";
import { amountArgumentSchema } from "@/server/domain/money";

const input = z.strictObject({ target: z.string().min(1).max(100), payment: amountArgumentSchema });
const allowList = z.strictObject({ targets: z.array(z.string()).default([]) });

/** An action whose schema types its amount. */
const payingAction: ActionDefinition = defineAction({
  name: "test.pay",
  provider: "test",
  summary: "Pays.",
  capability: "test",
  revision: 1,
  risk: "low",
  undo: null,
  price: null,
  honoursIdempotencyKey: false,
  input,
  allowList,
  effect: () => "write",
  irreversible: () => false,
  outward: () => false,
  targets: (args) => [args.target],
  refuse: (allow) => (allow.targets.includes("*") ? null : { field: "target", rule: "host_not_allowed" }),
  amount: (args) => declaredAmount(args.payment),
});

let isRegistered = false;

/** Adds `test.pay` to the provider of the other test tools. */
export function registerPayingTool(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerAction(payingAction);
}
