import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState, useTransition } from "react";

/**
 * One thing at a time. `press` does nothing while the last one is under way or the page is still being read again after
 * it: until then the buttons on screen are those of before.
 */
export function useOnePress() {
  const router = useRouter();
  const [isRunning, setRunning] = useState(false);
  const [isReading, startReading] = useTransition();
  const isTaken = useRef(false);
  useEffect(() => {
    isTaken.current = isRunning || isReading;
  }, [isRunning, isReading]);
  const press = async (work: () => Promise<void>): Promise<void> => {
    if (isTaken.current) return;
    isTaken.current = true;
    setRunning(true);
    try {
      await work();
    } finally {
      setRunning(false);
      startReading(() => router.refresh());
    }
  };
  const isFree = useCallback(() => !isTaken.current, []);
  return { press, isFree, isBusy: isRunning || isReading };
}
