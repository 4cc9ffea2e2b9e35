import { createHash, timingSafeEqual } from "node:crypto";
import { type AddressObject, type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import type { Mail, MailStore } from "./mail-store";

const MAX_MAIL_BYTES = 2_097_152;

export type SmtpOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** PEM. */
  readonly tls: { readonly key: string; readonly cert: string };
  readonly store: MailStore;
};

const digest = (text: string) => createHash("sha256").update(text).digest();

const addressesIn = (field: AddressObject | AddressObject[] | undefined): string[] =>
  [field ?? []].flat().flatMap((part) => part.value.flatMap((entry) => entry.address ?? []));

const headersOf = (mail: ParsedMail): Record<string, string> =>
  Object.fromEntries(mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]));

const toStore = (mail: ParsedMail): Mail => ({
  to: addressesIn(mail.to),
  subject: mail.subject ?? "",
  text: (mail.text ?? "").replace(/\n$/, ""),
  headers: headersOf(mail),
  receivedAt: new Date().toISOString(),
});

/** The mail is on disk before the server says that it has it. */
async function keep(stream: SMTPServerDataStream, store: MailStore): Promise<void> {
  const mail = await simpleParser(stream, { skipImageLinks: true, skipTextToHtml: true });
  if (stream.sizeExceeded) throw Object.assign(new Error("Message too large"), { responseCode: 552 });
  store.add(toStore(mail));
}

function serverFor({ user, password, tls, store }: SmtpOptions): SMTPServer {
  return new SMTPServer({
    ...tls,
    size: MAX_MAIL_BYTES,
    authMethods: ["PLAIN", "LOGIN"],
    disableReverseLookup: true,
    maxClients: 50,
    logger: false,
    onAuth(auth, _session, callback) {
      const given = digest(`${auth.username}\0${auth.password}`);
      if (timingSafeEqual(given, digest(`${user}\0${password}`))) callback(null, { user });
      else callback(new Error("Wrong user or password"));
    },
    onData(stream, _session, callback) {
      keep(stream, store).then(
        () => callback(),
        (error: Error) => callback(error),
      );
    },
  });
}

/**
 * The demo's mail server, on loopback alone: it offers STARTTLS, asks for a password only under encryption, and keeps
 * what it receives. Throws when the port is taken.
 */
export async function startSmtp(options: SmtpOptions): Promise<SMTPServer> {
  const server = serverFor(options);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", () => {
      server.removeListener("error", reject);
      // A client that breaks off is no reason to stop.
      server.on("error", () => undefined);
      resolve(server);
    });
  });
}
