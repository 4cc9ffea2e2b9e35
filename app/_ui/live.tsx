"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";

const STREAM = "/api/live";
const LOST_AFTER_MS = 5_000;
const POLL_EVERY_MS = 10_000;
const SETTLE_MS = 150;

/** Renders the page again when something changed. The stream carries ids only; what they mean comes with the page. */
export function LiveRefresh() {
  const router = useRouter();
  const [lostSince, setLostSince] = useState<number>();
  const lastUpdate = useRef(Date.now());
  useEffect(() => {
    const refresh = () => {
      lastUpdate.current = Date.now();
      router.refresh();
    };
    return followStream({
      refresh,
      onLost: () => setLostSince(lastUpdate.current),
      onBack: () => setLostSince(undefined),
    });
  }, [router]);
  return (
    <p role="status" className="bg-wait-tint px-4 py-2 text-sm text-wait empty:hidden lg:px-8">
      {lostSince === undefined ? null : `Not live. Last update ${new Date(lostSince).toLocaleTimeString("en-GB")}`}
    </p>
  );
}

type Handlers = { refresh: () => void; onLost: () => void; onBack: () => void };

/**
 * Follows the stream until the returned function is called, and asks every 10 s while it is away. Whenever it opens,
 * the page is read again: what happened between its rendering and that moment came with nothing.
 */
function followStream({ refresh, onLost, onBack }: Handlers): () => void {
  let source: EventSource | undefined;
  let settle: ReturnType<typeof setTimeout> | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  const soon = () => {
    clearTimeout(settle);
    settle = setTimeout(refresh, SETTLE_MS);
  };
  const onOpen = () => {
    clearTimeout(lost);
    clearInterval(poll);
    lost = poll = undefined;
    onBack();
    soon();
  };
  const onError = () => {
    lost ??= setTimeout(onLost, LOST_AFTER_MS);
    poll ??= setInterval(again, POLL_EVERY_MS);
  };
  const connect = () => {
    source = new EventSource(STREAM);
    source.onopen = onOpen;
    source.onerror = onError;
    source.onmessage = soon;
  };
  const again = () => {
    refresh();
    // A refusal closes it for good: browsers come back by themselves only after a broken connection.
    if (source?.readyState === EventSource.CLOSED) connect();
  };
  connect();
  return () => {
    source?.close();
    clearTimeout(settle);
    clearTimeout(lost);
    clearInterval(poll);
  };
}
