import type { Database } from "@/inngest/local/store/database";
import { errorFields, log } from "@/server/log";

const CHANNEL = "inngest_local_wake";
const RETRY_MS = 5_000;
const NOTIFY_EVERY_MS = 100;

/** Tells the other engines on this database that something is due; at most ten times a second, and never waited for. */
export function notifier(database: Database): () => void {
  let isQueued = false;
  const notify = () => {
    isQueued = false;
    database.notify(CHANNEL).catch((error: unknown) => log.debug(errorFields(error), "could not notify the engines"));
  };
  return () => {
    if (isQueued) return;
    isQueued = true;
    setTimeout(notify, NOTIFY_EVERY_MS).unref();
  };
}

/**
 * Calls `onWake` when another engine says that something is due. Only a hint beside the polling: a connection that
 * breaks is opened again later. Answers how to stop.
 */
export function listen(database: Database, onWake: () => void): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let client: ReturnType<Database["listener"]> | undefined;

  const reconnect = (error?: unknown) => {
    if (isStopped || timer) return;
    log.debug(error ? errorFields(error) : {}, "the engine's listener will reconnect");
    client?.removeAllListeners();
    client?.on("error", () => {}); // late errors of the connection that is being dropped
    client?.end().catch(() => {});
    timer = setTimeout(open, RETRY_MS).unref();
  };
  const open = () => {
    timer = undefined;
    const opened = database.listener();
    client = opened;
    opened.on("error", reconnect).on("end", reconnect).on("notification", onWake);
    opened
      .connect()
      .then(() => opened.query(`LISTEN ${CHANNEL}`))
      .catch(reconnect);
  };
  open();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}
