import { MAX_AUDIT_TEXT } from "@/server/domain/audit-types";
import { cutText } from "@/server/domain/text";

// Longer input cannot show anything within the cut, so it is not looked at.
const MAX_SCANNED = 4_096;
const PLAIN = /^[\x20-\x7e]*$/;
/** Ids and code words: the shapes that most fields have, and that no secret has. */
const HARMLESS = /^(?:[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|[a-z][a-z_.]{0,39})$/;
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Documented key formats that are plain from their prefix alone. */
const SECRETS =
  /-----BEGIN [A-Z ]*PRIVATE KEY|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\b(?:gh[opsur]|github_pat|glpat|xox[abeoprs]|sk|rk|pk|csk|npm|whsec)[_-][\w-]{16,}/g;
const maskSecrets = (text: string): string => text.replace(SECRETS, "[masked]");

/** A string as an audit entry may hold it: one line, secrets masked, at most 300 characters. */
export function auditText(text: string): string {
  if (HARMLESS.test(text)) return text;
  const head = text.length > MAX_SCANNED ? text.slice(0, MAX_SCANNED) : text;
  const seen = PLAIN.test(head) ? head : head.toWellFormed().replace(UNSEEN, "\uFFFD");
  return cutText(maskSecrets(seen), MAX_AUDIT_TEXT);
}
