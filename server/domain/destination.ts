import { z } from "zod";
import { mailAddressSchema, mailDomainSchema } from "@/server/domain/mail-address";
import { plainHostSchema } from "@/server/domain/plain-url";

/**
 * What an organization trusts. A host is spelled as in a URL, with its port unless it is the scheme's own
 * (`api.example.com`, `127.0.0.1:3101`); a mail domain is exact (`corp.example`) or covers what is under it (`.corp.example`).
 */
export const trustedDestinationSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("host"), value: plainHostSchema }),
  z.strictObject({ kind: z.literal("email_domain"), value: mailDomainSchema }),
  z.strictObject({ kind: z.literal("email_address"), value: mailAddressSchema }),
]);
export type TrustedDestination = z.infer<typeof trustedDestinationSchema>;

/** Whether `domain` is what `pattern` says: the domain itself, or for `.suffix` the suffix and everything under it. */
export function isMailDomainUnder(pattern: string, domain: string): boolean {
  const wanted = pattern.toLowerCase();
  const given = domain.toLowerCase();
  if (!wanted.startsWith(".")) return given === wanted;
  return given === wanted.slice(1) || given.endsWith(wanted);
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

function trusts(entry: TrustedDestination, destination: string): boolean {
  const isMail = destination.includes("@");
  switch (entry.kind) {
    case "host":
      return !isMail && entry.value.toLowerCase() === destination;
    case "email_domain":
      return isMail && isMailDomainUnder(entry.value, domainOf(destination));
    case "email_address":
      return isMail && entry.value.toLowerCase() === destination;
  }
}

/** Answers for destinations as `targets` spells them: lower case, a host or an address. */
export const trustedBy =
  (entries: readonly TrustedDestination[]) =>
  (destination: string): boolean =>
    entries.some((entry) => trusts(entry, destination.toLowerCase()));
