import { useEffect, useRef, useState } from "react";
import { replayRules } from "@/app/_ui/actions";
import type { Outcome } from "@/app/_ui/outcome";

type Part = Extract<Awaited<ReturnType<typeof replayRules>>, { ok: true }>["value"];
export type Change = Part["changes"][number];

export type Replay = {
  days: number;
  total: number;
  done: number;
  unreadable: number;
  changes: readonly Change[];
  isRunning: boolean;
  /** Why it ended before its end, if so. */
  failure?: Extract<Outcome, { ok: false }>;
};

/** Tries a draft part by part, and says after each how far it is. Starting anew or leaving ends the one before. */
export function useReplay() {
  const [replay, setReplay] = useState<Replay>();
  const run = useRef(0);
  useEffect(
    () => () => {
      run.current += 1;
    },
    [],
  );
  const start = async (change: object, days: number): Promise<void> => {
    run.current += 1;
    const own = run.current;
    let sofar: Replay = { days, total: 0, done: 0, unreadable: 0, changes: [], isRunning: true };
    setReplay(sofar);
    for (let cursor: Part["nextCursor"] | undefined; cursor !== null; ) {
      const outcome = await replayRules({ days, change, ...(cursor ? { cursor } : {}) });
      if (own !== run.current) return;
      if (!outcome.ok) return setReplay({ ...sofar, isRunning: false, failure: outcome });
      sofar = added(sofar, outcome.value);
      cursor = outcome.value.nextCursor;
      setReplay(sofar);
    }
  };
  const stop = () => {
    run.current += 1;
    setReplay((sofar) => (sofar ? { ...sofar, isRunning: false } : sofar));
  };
  return { replay, start, stop };
}

const added = (sofar: Replay, part: Part): Replay => ({
  days: sofar.days,
  total: part.total,
  done: part.done,
  unreadable: sofar.unreadable + part.unreadable,
  changes: [...sofar.changes, ...part.changes],
  isRunning: part.nextCursor !== null,
});
