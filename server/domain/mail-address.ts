import { z } from "zod";
import type { ArgumentRule } from "@/server/domain/actions/rules";

const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;
/** A dot-atom without `%`, `!`, `|` and the like, which some relays still read as routes or commands. */
const LOCAL = /^[a-z0-9_+&'=~#-]+(\.[a-z0-9_+&'=~#-]+)*$/i;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const RESERVED_ROOTS = new Set(["example", "test", "invalid", "localhost", "local", "internal"]);

const isDomain = (text: string, leastLabels: number): boolean => {
  const labels = text.split(".");
  return text.length <= 253 && labels.length >= leastLabels && labels.every((label) => LABEL.test(label));
};

const isNumeric = (domain: string) => /^[0-9.]+$/.test(domain);

function faultOf(address: string): ArgumentRule | null {
  if (/[^\x20-\x7e]/.test(address)) return /\p{Cc}/u.test(address) ? "text_malformed" : "address_not_ascii";
  const at = address.indexOf("@");
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || local.length > MAX_LOCAL || !LOCAL.test(local) || local.startsWith("-")) return "address_malformed";
  return isDomain(domain, 2) && !isNumeric(domain) ? null : "address_malformed";
}

/**
 * A bare `local@domain`. Display names, comments, quoted local parts, groups, address literals and source routes
 * are refused: each has been read as another recipient by some mail software.
 */
export const mailAddressSchema = z
  .string()
  .max(MAX_ADDRESS)
  .superRefine((address, context) => {
    const rule = faultOf(address);
    if (rule) context.addIssue({ code: "custom", message: rule, params: { rule } });
  });

/** Whether a suffix is narrow enough for an allow-list: two labels, or one that is reserved and never public. */
export const isNarrowSuffix = (suffix: string): boolean =>
  (isDomain(suffix, 2) && !/(^|\.)[0-9]+$/.test(suffix)) || RESERVED_ROOTS.has(suffix.toLowerCase());

/** `corp.example`, or `.corp.example` for it and everything under it. A bare public suffix is refused. */
export const mailDomainSchema = z
  .string()
  .max(254)
  .refine(
    (text) => (text.startsWith(".") ? isNarrowSuffix(text.slice(1)) : isDomain(text, 2)),
    "must be a domain such as corp.example, or .corp.example for everything under it",
  );
