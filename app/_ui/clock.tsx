"use client";

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { formatSpan, formatTime } from "@/app/_lib/format";

const Clock = createContext(0);

/**
 * Ticks by the database's clock: `now` is its time when the page was rendered, the browser only measures what has
 * passed since. A wrong clock on a phone changes nothing.
 */
export function ClockProvider({ now, children }: { now: Date; children: ReactNode }) {
  const base = now.getTime();
  const [current, setCurrent] = useState(base);
  useEffect(() => {
    const started = performance.now();
    const tick = () => setCurrent(base + performance.now() - started);
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [base]);
  return <Clock value={current}>{children}</Clock>;
}

/** Milliseconds of the database's clock, renewed every second. */
export function useNow(): number {
  return useContext(Clock);
}

/** `2 min ago`. */
export function Ago({ at }: { at: Date }) {
  const passed = useNow() - at.getTime();
  return <time dateTime={at.toISOString()}>{passed < 1000 ? "now" : `${formatSpan(passed)} ago`}</time>;
}

/** The same for an approval, which may not expire. */
export function DecideWithin({ until, short = false }: { until: Date | null; short?: boolean }) {
  if (until !== null) return <TimeLeft until={until} short={short} />;
  return <span>{short ? "no end" : "does not expire"}</span>;
}

/** `6 min left`, or `no time left`. */
export function TimeLeft({ until, short = false }: { until: Date; short?: boolean }) {
  const left = until.getTime() - useNow();
  const words = left <= 0 ? "no time" : formatSpan(left);
  return (
    <time dateTime={until.toISOString()} className={left < 300_000 ? "font-semibold" : undefined}>
      {words}
      {short ? <span className="sr-only"> left</span> : " left"}
    </time>
  );
}

const never = () => () => {};

/** A moment in the reader's own time zone; until the browser has said which, in UTC. */
export function At({ time }: { time: Date }) {
  const now = useNow();
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {isBrowser ? formatTime(time, now) : `${formatTime(time, now, "UTC")} UTC`}
    </time>
  );
}

/** Says aloud, once each, that five minutes and one minute are left. */
export function ExpiryVoice({ until }: { until: Date }) {
  const left = until.getTime() - useNow();
  const words =
    left <= 0 || left > 300_000 ? "" : left > 60_000 ? "5 minutes left to decide" : "1 minute left to decide";
  return (
    <p className="sr-only" aria-live="polite">
      {words}
    </p>
  );
}
