import type { JsonValue } from "@/server/domain/json";

/**
 * What came of an effect. `failed` promises that nothing happened outside, or that the other side said it did not;
 * `outcome_unknown` says that it may have happened. `code` is stable, `message` is for people; neither holds content.
 */
export type Outcome =
  | { readonly kind: "succeeded"; readonly result: JsonValue }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "outcome_unknown"; readonly code: string; readonly message: string };
