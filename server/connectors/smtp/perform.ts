import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { ConnectorCall, Provider } from "@/server/connectors/connector";
import { type FailureCode, failed, outcomeUnknown } from "@/server/connectors/failures";
import { isTlsError, TOTAL_TIMEOUT_MS } from "@/server/connectors/net/connect";
import { isNamedByOperator, type Resolver, resolveTarget } from "@/server/connectors/net/resolve";
import { stopCode } from "@/server/connectors/net/stop-code";
import { compose, messageIdOf } from "@/server/connectors/smtp/compose";
import { type SmtpConfig, smtpConfigSchema } from "@/server/connectors/smtp/config";
import { openSocket, type SessionOptions, sessionOver, step, watched } from "@/server/connectors/smtp/session";
import { emailSendSchema, recipientsOf } from "@/server/domain/actions/email-send";
import type { StoredCredential } from "@/server/domain/credential";
import type { Outcome } from "@/server/domain/outcome";

/** Bytes of the message as it is sent, encodings and headers included. */
const MAX_MESSAGE_BYTES = 1_048_576;

type Password = Extract<StoredCredential, { kind: "password" }>;
type Message = {
  readonly id: string;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly bytes: Buffer;
  readonly login: Password;
};

/** What tests replace: how names resolve, whom TLS trusts, how long it may take. */
export type SmtpOverrides = {
  readonly resolver?: Resolver;
  readonly ca?: string;
  readonly totalMs?: number;
};

export const smtpProvider: Provider = {
  name: "smtp",
  capabilities: ["email"],
  config: smtpConfigSchema,
  credentialKinds: ["password"],
  account: (config) => smtpConfigSchema.parse(config).from,
  perform: (call) => performSmtp(call),
};

/** Performs `email.send`: one conversation with the connection's mail server, never repeated. */
export async function performSmtp(call: ConnectorCall, overrides: SmtpOverrides = {}): Promise<Outcome> {
  const args = emailSendSchema.safeParse(call.args);
  const config = smtpConfigSchema.safeParse(call.config);
  if (!args.success) return failed("arguments_invalid");
  if (!config.success) return failed("connection_malformed");
  if (call.credential?.kind !== "password") return failed("credential_malformed");
  if (config.data.tls === "none" && !isNamed(call, config.data)) return failed("cleartext_refused");
  const { from } = config.data;
  const id = messageIdOf(call.requestId, from);
  const bytes = await compose({ args: args.data, from, messageId: id });
  if (bytes.length > MAX_MESSAGE_BYTES) return failed("arguments_invalid", "mail_too_large");
  const message: Message = { id, from, recipients: recipientsOf(args.data), bytes, login: call.credential };
  return deliver(message, { call, config: config.data, overrides });
}

const isNamed = (call: ConnectorCall, { host, port }: SmtpConfig) =>
  isNamedByOperator(call.privateHosts, { hostname: host, port });

type Delivery = { readonly call: ConnectorCall; readonly config: SmtpConfig; readonly overrides: SmtpOverrides };

async function deliver(message: Message, { call, config, overrides }: Delivery): Promise<Outcome> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(overrides.totalMs ?? TOTAL_TIMEOUT_MS)]);
  const target = { hostname: config.host.toLowerCase(), port: config.port };
  const resolved = await resolveTarget(target, {
    privateHosts: call.privateHosts,
    signal,
    resolver: overrides.resolver,
  });
  if (!resolved.ok) return failed(resolved.code);
  const options: SessionOptions = { config, addresses: resolved.addresses, signal, ca: overrides.ca };
  try {
    const session = sessionOver(await openSocket(options), options);
    return await converse(session, message, signal);
  } catch (error) {
    if (signal.aborted) return failed(stopCode(signal));
    return failed(isTlsError(error) ? "tls_failed" : "connect_failed");
  }
}

async function converse(session: SMTPConnection, message: Message, signal: AbortSignal): Promise<Outcome> {
  const body = watched(message.bytes);
  const envelope = { from: message.from, to: [...message.recipients], size: message.bytes.length };
  const { user, password } = message.login;
  try {
    await step<void>(session, signal, (done) => session.connect(done));
    await step(session, signal, (done) => session.login({ user, pass: password }, done));
    const info = await step<Accepted>(session, signal, (done) => session.send(envelope, body.stream, done));
    if (!info) return outcomeUnknown("connector_broke");
    return { kind: "succeeded", result: { messageId: message.id, accepted: info.accepted, rejected: info.rejected } };
  } catch (error) {
    return outcomeOf(error, signal, body.hasBegun());
  } finally {
    session.close();
  }
}

type Accepted = { readonly accepted: string[]; readonly rejected: string[] };

type SmtpError = { readonly code?: unknown; readonly command?: unknown; readonly responseCode?: unknown };

/** A refusal in the server's own numbers is a failure; silence after the message has begun is not knowing. */
function outcomeOf(error: unknown, signal: AbortSignal, hasBegun: boolean): Outcome {
  const smtp: SmtpError = error instanceof Error ? (error as SmtpError) : {};
  const reply = typeof smtp.responseCode === "number" ? smtp.responseCode : null;
  if (reply !== null && reply >= 400 && !signal.aborted) return failed(refusalCode(smtp), String(reply));
  const code = signal.aborted ? stopCode(signal) : breakCode(error, smtp);
  return hasBegun ? outcomeUnknown(code) : failed(code);
}

function refusalCode({ code, command }: SmtpError): FailureCode {
  if (code === "EAUTH") return "login_refused";
  if (code === "ETLS" || command === "STARTTLS") return "tls_missing";
  if (command === "MAIL FROM") return "sender_refused";
  if (command === "RCPT TO") return "recipients_refused";
  return command === "CONN" || command === "EHLO" ? "connection_lost" : "message_refused";
}

function breakCode(error: unknown, { code }: SmtpError): FailureCode {
  if (code === "EMESSAGE") return "message_refused";
  if (code === "EAUTH") return "login_refused";
  if (code === "ETIMEDOUT") return "timeout";
  return code === "ETLS" || isTlsError(error) ? "tls_failed" : "connection_lost";
}
