const LOCALE = "en-GB";
const MICROS_PER_UNIT = 1_000_000n;

/**
 * Money from integer micro-units, exact at any size: trailing zeros beyond the currency's own digits are dropped,
 * other digits never are.
 */
export function formatMicros(micros: bigint, currency: string): string {
  const size = micros < 0n ? -micros : micros;
  const digits = currencyDigits(currency);
  const fraction = (size % MICROS_PER_UNIT).toString().padStart(6, "0").replace(/0+$/, "").padEnd(digits, "0");
  const whole = new Intl.NumberFormat(LOCALE).format(size / MICROS_PER_UNIT);
  return `${micros < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`} ${currency}`;
}

function currencyDigits(currency: string): number {
  try {
    const options = new Intl.NumberFormat(LOCALE, { style: "currency", currency }).resolvedOptions();
    return options.maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Micro-units from what a person typed, such as `1250.5`; undefined when it is no amount with at most 6 decimals. */
export function parseAmount(text: string): string | undefined {
  const match = /^\s*(\d{1,12})(?:\.(\d{1,6}))?\s*$/.exec(text);
  if (!match) return undefined;
  return (BigInt(match[1] ?? "0") * MICROS_PER_UNIT + BigInt((match[2] ?? "").padEnd(6, "0"))).toString();
}

/** An amount as a person would type it again: the inverse of `parseAmount`. */
export function amountText(micros: bigint): string {
  const fraction = (micros % MICROS_PER_UNIT).toString().padStart(6, "0").replace(/0+$/, "");
  return `${micros / MICROS_PER_UNIT}${fraction === "" ? "" : `.${fraction}`}`;
}

/** `48,211`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(LOCALE).format(count);
}

/** `1 person`, `2 people`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Exact bytes of the text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A span of time in its two largest words that matter: `45 s`, `6 min`, `3 h 20 min`, `12 days`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 || hours >= 12 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** `14:05:40` on the same day, otherwise with the date. */
export function formatTime(at: Date, now: number, timeZone?: string): string {
  const zone = timeZone ? { timeZone } : {};
  const day = (time: number | Date) => new Intl.DateTimeFormat(LOCALE, { dateStyle: "short", ...zone }).format(time);
  const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium", ...zone }).format(at);
  if (day(at) === day(now)) return clock;
  const date = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric", ...zone }).format(at);
  return `${date}, ${clock}`;
}

/** The first 16 hex digits in fours, for the eye; copying takes all of them. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 16).replace(/(.{4})(?=.)/g, "$1 ");
}
