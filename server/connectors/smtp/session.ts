import { connect as connectTcp, isIP, type Socket } from "node:net";
import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { CONNECT_TIMEOUT_MS, pinnedLookup } from "@/server/connectors/net/connect";
import type { Address } from "@/server/connectors/net/resolve";
import type { SmtpConfig } from "@/server/connectors/smtp/config";
import { domainOf } from "@/server/domain/destination";

const GREETING_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
const MAX_REPLY_BYTES = 65_536;

export type SessionOptions = {
  readonly config: SmtpConfig;
  readonly addresses: readonly [Address, ...Address[]];
  readonly signal: AbortSignal;
  readonly ca?: string | undefined;
};

/** Opens a connection to one of the checked addresses. Throws a system error, or the signal's reason. */
export async function openSocket({ config, addresses, signal }: SessionOptions): Promise<Socket> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
  const host = config.host.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port: config.port, lookup: pinnedLookup(addresses), autoSelectFamily: true });
    const giveUp = () => socket.destroy(new Error("connecting was stopped"));
    const settle = (work: () => void) => () => {
      stop.removeEventListener("abort", giveUp);
      work();
    };
    stop.addEventListener("abort", giveUp, { once: true });
    if (stop.aborted) giveUp();
    socket.once(
      "connect",
      settle(() => resolve(socket)),
    );
    socket.once("error", (error) => settle(() => reject(error))());
  });
}

/** A conversation with a mail server, over a socket that is already connected. */
export function sessionOver(socket: Socket, { config, ca }: SessionOptions): SMTPConnection {
  const host = config.host.replace(/^\[(.*)\]$/, "$1");
  return new SMTPConnection({
    connection: socket,
    host,
    port: config.port,
    secure: config.tls === "implicit",
    requireTLS: config.tls === "starttls",
    ignoreTLS: config.tls === "none",
    name: domainOf(config.from),
    connectionTimeout: GREETING_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    maxResponseSize: MAX_REPLY_BYTES,
    logger: false,
    tls: {
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    },
  });
}

type Step<T> = (done: (error?: Error | null, value?: T) => void) => void;

/** Runs one step of a session. Throws what the session reports, or the signal's reason. */
export async function step<T>(session: SMTPConnection, signal: AbortSignal, run: Step<T>): Promise<T | undefined> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const settle = (work: () => void) => {
      signal.removeEventListener("abort", stop);
      session.removeListener("error", fail);
      session.on("error", ignore);
      work();
    };
    const fail = (error: Error) => settle(() => reject(error));
    signal.addEventListener("abort", stop, { once: true });
    session.once("error", fail);
    run((error, value) => settle(() => (error ? reject(error) : resolve(value))));
  });
}

/** A broken session may report again after the step that it broke. */
const ignore = () => undefined;

/** The message as a stream that says when the first byte of it was taken: before that, none can have been sent. */
export function watched(message: Buffer): { readonly stream: Readable; readonly hasBegun: () => boolean } {
  let begun = false;
  const stream = new Readable({
    read() {
      begun = true;
      this.push(message);
      this.push(null);
    },
  });
  return { stream, hasBegun: () => begun };
}
