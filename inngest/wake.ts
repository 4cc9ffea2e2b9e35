import { inngest, isInngestConnected } from "@/inngest/client";
import { errorFields, log } from "@/server/log";

const TIMEOUT_MS = 3_000;

/** An event made by one of the event types in `inngest/client`. */
export type WakeEvent = {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly validate?: () => Promise<unknown>;
};

async function send(event: WakeEvent | WakeEvent[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("Inngest did not answer in time")), TIMEOUT_MS);
    timer.unref();
  });
  try {
    await Promise.race([inngest.send(event), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tells durable work that a row changed, after the change is committed. A hint: it never throws and takes three
 * seconds at most, since a sweep finds whatever it missed.
 */
export async function wake(event: WakeEvent): Promise<void> {
  if (!isInngestConnected()) {
    log.warn({ event: event.name, ...event.data }, "durable work is not running and was not woken");
    return;
  }
  try {
    await send(event);
  } catch (error) {
    log.warn({ event: event.name, ...event.data, ...errorFields(error) }, "could not wake durable work");
  }
}

const CHUNK = 200;

/** `wake` for many of one kind at once, a chunk at a time. */
export async function wakeAll(events: readonly WakeEvent[]): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  if (!isInngestConnected()) {
    log.warn({ event: first.name, count: events.length }, "durable work is not running and was not woken");
    return;
  }
  for (let at = 0; at < events.length; at += CHUNK) {
    try {
      await send(events.slice(at, at + CHUNK));
    } catch (error) {
      // What it hangs on now is likely to hang on the next chunk too: the sweep finds what is left.
      log.warn({ event: first.name, count: events.length - at, ...errorFields(error) }, "could not wake durable work");
      return;
    }
  }
}
