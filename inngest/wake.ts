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

async function send(event: WakeEvent): Promise<void> {
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
