import { type AddressInfo, createServer, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly raw: string };

export type RunningSmtp = {
  readonly port: number;
  readonly mails: ReceivedMail[];
  readonly cert: string;
  readonly close: () => Promise<void>;
};

export const SMTP_USER = "robot";
export const SMTP_PASSWORD = 'mail-p\u00e4ssword-"42"';

/** A mail server that offers STARTTLS and a login; `options` change what it accepts and how it answers. */
export async function runSmtp(options: SMTPServerOptions = {}): Promise<RunningSmtp> {
  const tls = makeLocalCertificate();
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...tls,
    disableReverseLookup: true,
    logger: false,
    onAuth(auth, _session, callback) {
      if (auth.username === SMTP_USER && auth.password === SMTP_PASSWORD) callback(null, { user: SMTP_USER });
      else callback(new Error("no"));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map((recipient) => recipient.address);
        mails.push({ from, to, raw: Buffer.concat(chunks).toString("utf8") });
        callback();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, cert: tls.cert, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A server that follows a script, for behaviour that no mail server has on purpose. Speaks in the clear. */
export async function runScriptedSmtp(
  answer: (line: string, socket: Socket) => void,
): Promise<Omit<RunningSmtp, "mails" | "cert">> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write("220 ready\r\n");
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString("latin1")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) answer(line, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

type Closable = { readonly close: () => Promise<void> };
const open: Closable[] = [];

/** Closed by `closeMailServers`, which a test file calls after each test. */
export async function openedMail<T extends Closable>(running: Promise<T>): Promise<T> {
  const server = await running;
  open.push(server);
  return server;
}

export async function closeMailServers(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}
