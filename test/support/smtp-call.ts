import { performSmtp, type SmtpOverrides } from "@/server/connectors/smtp/perform";
import { createRedactor } from "@/server/vault/redactor";
import { SMTP_PASSWORD, SMTP_USER } from "@/test/support/smtp";

const mail = { to: ["ann@corp.example"], subject: "Grüße", text: "Hello\n.dot\n" };
const login = { kind: "password", user: SMTP_USER, password: SMTP_PASSWORD } as const;

export type MailSetup = {
  readonly port: number;
  readonly args?: object;
  readonly config?: object;
  readonly credential?:
    | { kind: "password"; user: string; password: string }
    | { kind: "header"; name: string; value: string }
    | null;
  readonly privateHosts?: string[];
  readonly signal?: AbortSignal;
  readonly overrides?: SmtpOverrides;
};

/** Sends a mail through the server on `port`, which the operator has named. */
export const runMail = ({ port, args, config, credential = login, privateHosts, signal, overrides = {} }: MailSetup) =>
  performSmtp(
    {
      action: "email.send",
      args: { ...mail, ...args },
      config: { host: "localhost", port, from: "robot@corp.example", ...config },
      credential,
      requestId: "req_01TEST",
      allow: {},
      trusts: () => true,
      signal: signal ?? new AbortController().signal,
      privateHosts: privateHosts ?? [`localhost:${port}`],
      redactor: createRedactor([]),
    },
    overrides,
  );
