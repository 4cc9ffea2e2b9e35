import { z } from "zod";
import { defineAction, type Refusal, type Trusts } from "@/server/domain/action";
import type { ArgumentRule } from "@/server/domain/actions/rules";
import { domainOf, isMailDomainUnder } from "@/server/domain/destination";
import { mailAddressSchema, mailDomainSchema } from "@/server/domain/mail-address";

const MAX_RECIPIENTS = 50;
/** UTF-8 bytes of subject and bodies together. */
export const MAX_MAIL_BYTES = 262_144;

/** Control characters, line separators and bidirectional overrides: in a subject they forge headers or mislead its reader. */
const NOT_IN_A_SUBJECT = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Control characters other than tab and line breaks. */
const NOT_IN_A_BODY = /(?![\t\n\r])\p{Cc}/u;

const text = (max: number, forbidden: RegExp) =>
  z
    .string()
    .max(max)
    .superRefine((value, context) => {
      if (value.isWellFormed() && !forbidden.test(value)) return;
      context.addIssue({ code: "custom", message: "text", params: { rule: "text_malformed" } });
    });

const addresses = z.array(mailAddressSchema).max(MAX_RECIPIENTS);

const mailBytes = (args: { subject: string; text: string; html?: string | undefined }): number =>
  new TextEncoder().encode(args.subject + args.text + (args.html ?? "")).byteLength;

export const emailSendSchema = z
  .strictObject({
    to: addresses.min(1),
    cc: addresses.optional(),
    bcc: addresses.optional(),
    subject: text(500, NOT_IN_A_SUBJECT),
    text: text(MAX_MAIL_BYTES, NOT_IN_A_BODY),
    html: text(MAX_MAIL_BYTES, NOT_IN_A_BODY).optional(),
  })
  .superRefine((args, context) => {
    const add = (rule: ArgumentRule, path: string) =>
      context.addIssue({ code: "custom", message: rule, params: { rule }, path: [path] });
    if (recipientsOf(args).length > MAX_RECIPIENTS) add("too_big", "to");
    if (mailBytes(args) > MAX_MAIL_BYTES) add("mail_too_large", args.html ? "html" : "text");
  });
export type EmailSendArgs = z.infer<typeof emailSendSchema>;

type Recipients = {
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
};

/** Everyone who gets the mail, in lower case, each once. */
export const recipientsOf = (args: Recipients): string[] => [
  ...new Set([...args.to, ...(args.cc ?? []), ...(args.bcc ?? [])].map((address) => address.toLowerCase())),
];

/** Whom a grant lets `email.send` write to, and how much. Without addresses and domains: nobody. */
const emailAllowListSchema = z.strictObject({
  addresses: z.array(mailAddressSchema).max(500).default([]),
  domains: z.array(mailDomainSchema).max(200).default([]),
  maxRecipients: z.int().min(1).max(MAX_RECIPIENTS).default(10),
  maxBytes: z.int().min(1).max(MAX_MAIL_BYTES).default(102_400),
});
type EmailAllowList = z.infer<typeof emailAllowListSchema>;

const isAllowed = (allow: EmailAllowList, address: string): boolean =>
  allow.addresses.some((allowed) => allowed.toLowerCase() === address.toLowerCase()) ||
  allow.domains.some((domain) => isMailDomainUnder(domain, domainOf(address)));

function refuse(allow: EmailAllowList, args: EmailSendArgs): Refusal | null {
  for (const field of ["to", "cc", "bcc"] as const) {
    const index = (args[field] ?? []).findIndex((address) => !isAllowed(allow, address));
    if (index >= 0) return { field: `${field}[${index}]`, rule: "recipient_not_allowed" };
  }
  if (recipientsOf(args).length > allow.maxRecipients) return { field: "to", rule: "too_many_recipients" };
  return mailBytes(args) > allow.maxBytes ? { field: args.html ? "html" : "text", rule: "mail_over_grant" } : null;
}

export const emailSend = defineAction({
  name: "email.send",
  provider: "smtp",
  summary: "Sends an e-mail from the connection's address.",
  capability: "email",
  revision: 1,
  risk: "medium",
  undo: { defaultS: 60, minS: 60, maxS: 300 },
  price: { micros: 1_000n, currency: "USD" },
  honoursIdempotencyKey: false,
  onlyWrites: true,
  input: emailSendSchema,
  allowList: emailAllowListSchema,
  effect: () => "write",
  irreversible: () => true,
  outward: (args, trusts: Trusts) => recipientsOf(args).some((address) => !trusts(address)),
  targets: recipientsOf,
  refuse,
  categories: () => ["message"],
  edits: { to: "drop", cc: "drop", bcc: "drop", subject: "text", text: "text", html: "optional_text" },
  headline: (args) => `Mail to ${whom(recipientsOf(args))}: ${args.subject}`,
});

const whom = ([first = "nobody", ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} and ${more.length} more`;
