import { editAndApprove, decide as postDecision } from "@/app/_ui/actions";
import { useOnePress } from "@/app/_ui/one-press";
import type { Outcome } from "@/app/_ui/outcome";
import type { JsonObject } from "@/server/domain/json";
import { useMoving } from "./moving";

type Shown = { id: string; digest: string };
type Decision = { decision: "approve" | "reject"; reason?: string; password?: string };

/** What this tab has decided or is deciding. It holds when the reader leaves the page and comes back to an old copy. */
const sent = new Set<string>();

const UNDER_WAY: Outcome<never> = { ok: false, code: "under_way", message: "A decision on it is under way." };

/**
 * Posts the digest that was on screen: the server refuses if it is no longer what would run. One decision is posted,
 * however often the reader presses; after a refusal the next one waits until the page was read again.
 */
export function useDecision({ id, digest }: Shown) {
  const { press, isFree, isBusy } = useOnePress();
  const { isMoving } = useMoving();
  const mayDecide = () => isFree() && !isMoving && !sent.has(id);
  const send = async <T>(post: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    let outcome: Outcome<T> = UNDER_WAY;
    if (!mayDecide()) return outcome;
    sent.add(id);
    await press(async () => {
      outcome = await post();
      if (!outcome.ok) sent.delete(id);
    });
    return outcome;
  };
  const decide = (decision: Decision) => send(() => postDecision({ id, digest, ...decision }));
  const edit = (args: JsonObject, proof: { password?: string }) =>
    send(() => editAndApprove({ id, digest, arguments: args, ...proof }));
  return { decide, edit, mayDecide, isBusy: isBusy || sent.has(id) };
}
