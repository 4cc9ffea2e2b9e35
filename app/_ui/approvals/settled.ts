import { useEffect, useRef } from "react";

const SETTLE_MS = 700;

/**
 * Whether what is on screen has been there for 700 ms. A click or a key that was meant for the thing before must not
 * hit the thing that took its place.
 */
export function useSettled(shown: string): () => boolean {
  const since = useRef(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts over whenever something else is shown.
  useEffect(() => {
    since.current = performance.now();
    // What lies in a hidden tab is not on screen.
    const onVisible = () => {
      since.current = performance.now();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [shown]);
  return () => performance.now() - since.current >= SETTLE_MS;
}
