import { isStandIn } from "@/server/domain/secret-scan/format";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
const URL_LIKE = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
const PATH_LIKE = /^(?:~|\.{1,2})?(?:\/[a-z0-9._-]+)+\/?$/;
const MAIL_LIKE = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const TEMPLATE = /^(?:\$\{|\$\(|\$[A-Z_][A-Z0-9_]*$|%[A-Z_]+%?$|\{\{?|<|\[)|^[A-Za-z_.]+[([]/;
const HASH = /^\$(?:2[abxy]|argon2(?:id|i|d)|scrypt|[156]|pbkdf2[a-z0-9-]*)\$|^(?:sha\d+|md5)[:-]/i;
const FILLER = new Set([
  ..."required optional hidden string boolean number secret password passwd username undefined disabled enabled".split(
    " ",
  ),
  ..."current-password new-password one-time-code redacted changed updated expired invalid incorrect missing".split(
    " ",
  ),
]);

/** Whether a value beside `password` is one. `isSure` where form or quotes say that a value follows and not prose. */
export function looksLikePassword(value: string, isSure: boolean): boolean {
  if (value.length < 6 || /\s/.test(value) || isNoCredential(value)) return false;
  if (isSure) return !/^[\d.,:/-]+$/.test(value);
  // Prose: "reset" and "required" are words, `Hunter2` and `s3cr3t!` are not.
  const runs = value.match(/[A-Za-z0-9]+/g) ?? [];
  const mixed = runs.filter((run) => /[A-Za-z]/.test(run) && /\d/.test(run));
  return (
    mixed.some((run) => run.length >= 5) ||
    mixed.length >= 2 ||
    (/[A-Za-z]/.test(value) && /[@#$%^&*!][^\s]/.test(value))
  );
}

/** Whether a value beside words such as `api_key` or `client_secret` is one: long and nothing a person would write. */
export function looksLikeKey(value: string): boolean {
  return value.length >= 12 && !/\s/.test(value) && !isNoCredential(value) && longestRandomRun(value) >= 10;
}

/** The same beside a bare `token`, a word of many meanings: an id or a digest is none. */
export function looksLikeToken(value: string): boolean {
  return (
    looksLikeKey(value) && value.length >= 20 && longestRandomRun(value) >= 16 && !UUID.test(value) && !HEX.test(value)
  );
}

function isNoCredential(value: string): boolean {
  return (
    FILLER.has(value.toLowerCase()) ||
    [URL_LIKE, PATH_LIKE, MAIL_LIKE, TEMPLATE, HASH].some((form) => form.test(value)) ||
    isStandIn(value)
  );
}

/** The longest run of letters and digits that reads like neither words nor a number. */
function longestRandomRun(value: string): number {
  let longest = 0;
  for (const run of value.match(/[A-Za-z0-9]+/g) ?? []) if (isRandom(run)) longest = Math.max(longest, run.length);
  return longest;
}

function isRandom(run: string): boolean {
  if (countTurns(run, /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) >= 2) return true;
  const isCamelCase = /^[A-Z]?[a-z]*(?:[A-Z][a-z]+)*$/.test(run);
  return !isCamelCase && countTurns(run, /[a-z](?=[A-Z])|[A-Z](?=[a-z])/g) >= 4;
}

function countTurns(run: string, turn: RegExp): number {
  return run.match(turn)?.length ?? 0;
}

/** An AWS secret access key has no form of its own: 40 characters of base 64, told from a SHA-1 by its capitals. */
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;

/** Whether what looks like an AWS secret access key stands within `text`, a stretch around a word that suggests it. */
export function holdsAwsSecret(text: string): boolean {
  return (text.match(AWS_SECRET) ?? []).some(
    (value) => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && entropyOf(value) > 4,
  );
}

/** Shannon entropy in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
