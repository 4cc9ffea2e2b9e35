import { type SmtpConfig, smtpConfigSchema } from "@/server/connectors/smtp/config";

/** The deployment's own mail server, with the login that the operator named. */
export type MailServer = {
  readonly config: SmtpConfig;
  readonly login: { readonly user: string; readonly password: string } | null;
};

/** Reads `smtp://` as STARTTLS, which is insisted on, and `smtps://` as TLS from the first byte. Throws on any other. */
export function mailServerOf(url: string, from: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isImplicit = protocol === "smtps:";
  const config = smtpConfigSchema.parse({
    host: hostname,
    port: port === "" ? (isImplicit ? 465 : 587) : Number(port),
    tls: isImplicit ? "implicit" : "starttls",
    from,
  });
  const login = username === "" ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { config, login };
}
