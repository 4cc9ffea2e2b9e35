/**
 * Lets callers that come together share one flush. Whoever asks joins a flush that has not begun, never one under
 * way: that one may have begun before what the caller wants on disk.
 */
export function sharedFlush(flush: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    const started = flush().finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started;
  };
  return () => {
    if (running === null) return begin();
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = null;
        return begin();
      });
    return queued;
  };
}
