import { CATEGORIES, type Category } from "@/server/domain/categories";
import type { SessionLabel } from "@/server/domain/facts";
import { isTimeZone } from "@/server/domain/local-time";

// Used by the form in the browser too, whose policy allows no schema library: what it refuses is written out by hand.

/** Kinds of targets, and how a target of each is told from the others: a host holds neither `@` nor `/`. */
export const TARGET_KINDS = {
  any: null,
  address: 't.contains("@")',
  host: '!t.contains("@") && !t.contains("/")',
  repository: 't.startsWith("repository/")',
  channel: 't.startsWith("channel/")',
} as const;
export type TargetKind = keyof typeof TARGET_KINDS;

/** The labels of a session, and for people, what each means. */
export const LABELS = {
  unverified: "the gateway cannot see what else the agent read",
  untrusted: "content from outside passed through it",
  sensitive: "it read from a sensitive connection",
} as const satisfies Record<SessionLabel, string>;

export type AmountLimit = { readonly currency: string; readonly above: string };

/** One question that a form can ask about a call. A rule's condition is some of them, all true at once. */
export type RulePart =
  | { readonly kind: "actions"; readonly actions: readonly string[] }
  | {
      readonly kind: "amount";
      readonly limits: readonly AmountLimit[];
      /** Whether any amount in a currency that has no limit here counts as above. */
      readonly others: boolean;
    }
  | { readonly kind: "newTargets"; readonly to: "agent" | "organization"; readonly of: TargetKind }
  | { readonly kind: "categories"; readonly categories: readonly Category[] }
  | {
      readonly kind: "outsideHours";
      readonly zone: string;
      /** From 0, Sunday. */
      readonly weekdays: readonly number[];
      /** Minutes since midnight. */
      readonly from: number;
      readonly until: number;
    }
  | { readonly kind: "labels"; readonly labels: readonly SessionLabel[] };
export type RulePartKind = RulePart["kind"];

const ACTION = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;
const CURRENCY = /^[A-Z]{3}$/;
/** One spelling for one amount: no sign, no needless zeros, a point. */
const LIMIT = /^(0|[1-9]\d{0,11})(\.\d{0,5}[1-9])?$/;
const ZONE = /^[A-Za-z0-9_+/-]{1,60}$/;
const MAX_ITEMS = 50;
const MINUTES_A_DAY = 1_440;

/** What is wrong with a part, as field and rule; null where it can be written. */
export function faultOf(part: RulePart): string | null {
  switch (part.kind) {
    case "actions":
      return listFault("actions", part.actions, (item) => ACTION.test(item), "an action such as email.send");
    case "amount":
      return amountFault(part.limits);
    case "newTargets":
      return null;
    case "categories":
      return listFault("categories", part.categories, (item) => Object.hasOwn(CATEGORIES, item), "a category");
    case "labels":
      return listFault("labels", part.labels, (item) => Object.hasOwn(LABELS, item), "a label");
    case "outsideHours":
      return hoursFault(part);
  }
}

function listFault<T>(field: string, items: readonly T[], fits: (item: T) => boolean, what: string): string | null {
  if (items.length === 0) return `${field}: choose at least one.`;
  if (items.length > MAX_ITEMS) return `${field}: at most ${MAX_ITEMS}.`;
  if (new Set(items).size < items.length) return `${field}: each once.`;
  return items.every(fits) ? null : `${field}: each must be ${what}.`;
}

function amountFault(limits: readonly AmountLimit[]): string | null {
  if (!limits.every(({ above }) => LIMIT.test(above))) return "amount: each must be an amount such as 500 or 12.5.";
  const currencies = limits.map(({ currency }) => currency);
  return listFault("amount", currencies, (currency) => CURRENCY.test(currency), "in a currency such as EUR");
}

function hoursFault({ zone, weekdays, from, until }: Extract<RulePart, { kind: "outsideHours" }>): string | null {
  if (!ZONE.test(zone) || !isTimeZone(zone)) return "time zone: must be one such as Europe/Berlin.";
  const isWithin = [from, until].every((minute) => Number.isInteger(minute) && minute >= 0 && minute < MINUTES_A_DAY);
  if (!isWithin || from >= until) return "hours: must end after they begin.";
  return listFault("weekdays", weekdays, (day) => Number.isInteger(day) && day >= 0 && day <= 6, "a day of the week");
}

const quoted = (items: readonly string[]): string => `[${items.map((item) => `"${item}"`).join(", ")}]`;

/** The CEL of a condition in which all parts must be true. Throws on none, and on a part that has a fault. */
export function conditionOf(parts: readonly RulePart[]): string {
  const fault = parts.length === 0 ? "parts: choose at least one." : parts.map(faultOf).find((one) => one !== null);
  if (fault) throw new RangeError(fault);
  const texts = parts.map(textOf);
  return texts.length === 1 ? texts.join("") : texts.map((text) => `(${text})`).join(" && ");
}

function textOf(part: RulePart): string {
  switch (part.kind) {
    case "actions":
      return `action in ${quoted(part.actions)}`;
    case "amount":
      return amountText(part);
    case "newTargets": {
      const list = part.to === "agent" ? "newTargets" : "newToOrganization";
      const test = TARGET_KINDS[part.of];
      return test === null ? `size(${list}) > 0` : `${list}.exists(t, ${test})`;
    }
    case "categories":
      return `categories.exists(c, c in ${quoted(part.categories)})`;
    case "outsideHours": {
      const { zone, weekdays, from, until } = part;
      const minute = `minuteIn(now, "${zone}")`;
      return `!(weekdayIn(now, "${zone}") in [${weekdays.join(", ")}] && ${minute} >= ${from} && ${minute} < ${until})`;
    }
    case "labels":
      return `session.labels.exists(l, l in ${quoted(part.labels)})`;
  }
}

function amountText({ limits, others }: Extract<RulePart, { kind: "amount" }>): string {
  const above = limits.map(({ currency, above: limit }) => {
    const number = limit.includes(".") ? limit : `${limit}.0`;
    return `currency == "${currency}" && amount > ${number}`;
  });
  const known = quoted(["", ...limits.map(({ currency }) => currency)]);
  return [...above, ...(others ? [`!(currency in ${known})`] : [])].join(" || ");
}

/**
 * The parts of a condition that `conditionOf` wrote, or null for any other text, which people see as CEL. What is read
 * is written again and compared, so that a form never shows another rule than the one that stands.
 */
export function partsOf(condition: string): RulePart[] | null {
  const text = condition.trim();
  const inner = /^\((.*)\)$/s.exec(text)?.[1];
  const texts = inner?.includes(") && (") ? inner.split(") && (") : [text];
  const parts = texts.map(partOf);
  if (parts.some((part) => faultOf(part) !== null)) return null;
  return conditionOf(parts) === text ? parts : null;
}

const LIST = /"([^"]*)"/g;
const listIn = (text: string): string[] => [...text.matchAll(LIST)].map(([, item = ""]) => item);

/** A guess at what a text says, which the caller checks by writing it again. */
function partOf(text: string): RulePart {
  if (text.startsWith("action in ")) return { kind: "actions", actions: listIn(text) };
  if (text.startsWith("currency == ")) return amountOf(text);
  if (text.startsWith("categories.")) return { kind: "categories", categories: listIn(text) as Category[] };
  if (text.startsWith("session.labels.")) return { kind: "labels", labels: listIn(text) as SessionLabel[] };
  if (text.startsWith("!(weekdayIn(")) return hoursOf(text);
  return newTargetsOf(text);
}

function amountOf(text: string): RulePart {
  const limits = [...text.matchAll(/currency == "([A-Z]{3})" && amount > (\d+\.\d+)/g)];
  return {
    kind: "amount",
    limits: limits.map(([, currency = "", above = ""]) => ({ currency, above: above.replace(/\.0$/, "") })),
    others: text.includes("!(currency in "),
  };
}

function newTargetsOf(text: string): RulePart {
  const to = text.includes("newToOrganization") ? "organization" : "agent";
  const kinds = Object.keys(TARGET_KINDS) as TargetKind[];
  const of = kinds.find((kind) => TARGET_KINDS[kind] !== null && text.includes(`(t, ${TARGET_KINDS[kind]})`)) ?? "any";
  return { kind: "newTargets", to, of };
}

function hoursOf(text: string): RulePart {
  const zone = /weekdayIn\(now, "([^"]*)"\)/.exec(text)?.[1] ?? "";
  const weekdays = /\) in \[([\d, ]*)\]/.exec(text)?.[1]?.split(", ").map(Number) ?? [];
  const [, from, until] = />= (\d+) && .* < (\d+)\)$/.exec(text) ?? [];
  return { kind: "outsideHours", zone, weekdays, from: Number(from), until: Number(until) };
}
