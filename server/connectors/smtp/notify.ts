import MailComposer from "nodemailer/lib/mail-composer";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { resolveTarget } from "@/server/connectors/net/resolve";
import type { MailServer } from "@/server/connectors/smtp/mail-server";
import { openSocket, type SessionOptions, sessionOver, step } from "@/server/connectors/smtp/session";

const TOTAL_MS = 20_000;

export type NoticeMail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at every attempt, so that a mail sent twice after a crash can be seen to be one. */
  readonly messageId: string;
};

/**
 * `refused`: this mail or its recipient, for good. `later`: this mail, not now. `down`: the server takes nothing now.
 * `code` says why, without content.
 */
export type Posted = { readonly kind: "sent" } | { readonly kind: "refused" | "later" | "down"; readonly code: string };

/** What tests replace: whom TLS trusts. */
type Overrides = { readonly ca?: string };

/** Hands one notice to the deployment's mail server, encrypted or not at all. Never throws. */
export async function postNotice(server: MailServer, mail: NoticeMail, { ca }: Overrides = {}): Promise<Posted> {
  const { host: hostname, port } = server.config;
  const signal = AbortSignal.timeout(TOTAL_MS);
  try {
    // The operator named it in the environment, so it may be a private one.
    const resolved = await resolveTarget({ hostname, port }, { privateHosts: [`${hostname}:${port}`], signal });
    if (!resolved.ok) return { kind: "down", code: resolved.code };
    const options: SessionOptions = { config: server.config, addresses: resolved.addresses, signal, ca };
    const session = sessionOver(await openSocket(options), options);
    return await converse(session, { server, mail, signal });
  } catch (error) {
    return postedOf(error);
  }
}

type Talk = { readonly server: MailServer; readonly mail: NoticeMail; readonly signal: AbortSignal };

async function converse(session: SMTPConnection, { server, mail, signal }: Talk): Promise<Posted> {
  const { config, login } = server;
  try {
    const bytes = await compose(mail, config.from);
    await step<void>(session, signal, (done) => session.connect(done));
    if (login !== null) {
      await step(session, signal, (done) => session.login({ user: login.user, pass: login.password }, done));
    }
    await step(session, signal, (done) => session.send({ from: config.from, to: [mail.to] }, bytes, done));
    return { kind: "sent" };
  } catch (error) {
    return postedOf(error);
  } finally {
    session.close();
  }
}

const compose = ({ to, subject, text, messageId }: NoticeMail, from: string): Promise<Buffer> =>
  new MailComposer({
    from: { name: "Countersign", address: from },
    to,
    subject,
    text,
    messageId,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();

type SmtpError = { readonly code?: unknown; readonly command?: unknown; readonly responseCode?: unknown };

/** Only a no to this message or its recipient is about the mail; a login that fails is the server's affair. */
function postedOf(error: unknown): Posted {
  const { code, command, responseCode }: SmtpError = error instanceof Error ? (error as SmtpError) : {};
  const reply = typeof responseCode === "number" ? responseCode : 0;
  const isOfMail = command === "RCPT TO" || command === "DATA";
  const ofMail = reply >= 500 ? "refused" : "later";
  const kind = isOfMail && reply >= 400 ? ofMail : "down";
  const parts = [code ?? "failed", command, responseCode].filter((part) => ["string", "number"].includes(typeof part));
  return { kind, code: parts.map(String).join(" ") };
}
