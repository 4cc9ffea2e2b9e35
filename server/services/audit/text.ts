import { MAX_AUDIT_TEXT } from "@/server/domain/audit-types";
import { plainForm } from "@/server/domain/secret-scan/decode";
import { detect } from "@/server/domain/secret-scan/detect";
import { cutText } from "@/server/domain/text";

// Longer input cannot show anything within the cut, so it is not looked at.
const MAX_SCANNED = 4_096;
const PLAIN = /^[\x20-\x7e]*$/;
/** Ids, code words and digests: the shapes that most fields have, and that no secret has. */
const HARMLESS = /^(?:[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|[a-z][a-z_.]{0,39}|[0-9a-f]{64}|)$/;
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** A string as an audit entry may hold it: one line, at most 300 characters, and in place of a secret its kind. */
export function auditText(text: string): string {
  if (HARMLESS.test(text)) return text;
  const head = text.slice(0, MAX_SCANNED);
  const kind = PLAIN.test(head) ? detect(head).kind : (detect(head).kind ?? detect(plainForm(head)).kind);
  if (kind !== null) return `[masked: ${kind}]`;
  return cutText(PLAIN.test(head) ? head : head.toWellFormed().replace(UNSEEN, "\uFFFD"), MAX_AUDIT_TEXT);
}
