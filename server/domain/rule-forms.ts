import { z } from "zod";
import { CATEGORIES, type Category } from "@/server/domain/categories";
import { SESSION_LABELS } from "@/server/domain/facts";
import { isTimeZone } from "@/server/domain/local-time";
import { currencySchema } from "@/server/domain/money";

/** Kinds of targets, and how a target of each is told from the others: a host holds neither `@` nor `/`. */
export const TARGET_KINDS = {
  any: null,
  address: 't.contains("@")',
  repository: 't.startsWith("repository/")',
  channel: 't.startsWith("channel/")',
  host: '!t.contains("@") && !t.contains("/")',
} as const;
type TargetKind = keyof typeof TARGET_KINDS;

const actionSchema = z.string().regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/, "must be an action such as email.send");
/** A threshold as people type it. One spelling for one amount: no sign, no needless zeros, a point. */
const limitSchema = z.string().regex(/^(0|[1-9]\d{0,11})(\.\d{0,5}[1-9])?$/, "must be an amount such as 500 or 12.5");
const minuteSchema = z.int().min(0).max(1_439);
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(50)
    .refine((items) => new Set(items).size === items.length, "must hold each once");
const wordsOf = <T extends string>(words: readonly [T, ...T[]]) => listOf(z.enum(words));

/** One question that a form can ask about a call. A rule's condition is some of them, all true at once. */
export const rulePartSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("actions"), actions: listOf(actionSchema) }),
  z.strictObject({
    kind: z.literal("amount"),
    limits: z
      .array(z.strictObject({ currency: currencySchema, above: limitSchema }))
      .min(1)
      .max(20),
    /** Whether any amount in a currency that has no limit here counts as above. */
    others: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("newTargets"),
    to: z.enum(["agent", "organization"]),
    of: z.enum(Object.keys(TARGET_KINDS) as [TargetKind, ...TargetKind[]]),
  }),
  z.strictObject({
    kind: z.literal("categories"),
    categories: wordsOf(Object.keys(CATEGORIES) as [Category, ...Category[]]),
  }),
  z
    .strictObject({
      kind: z.literal("outsideHours"),
      zone: z
        .string()
        .max(60)
        .regex(/^[A-Za-z0-9_+/-]+$/)
        .refine(isTimeZone, "must be a time zone such as Europe/Berlin"),
      weekdays: listOf(z.int().min(0).max(6)),
      from: minuteSchema,
      until: minuteSchema,
    })
    .refine(({ from, until }) => from < until, "must end after it begins"),
  z.strictObject({ kind: z.literal("labels"), labels: wordsOf(SESSION_LABELS) }),
]);
export type RulePart = z.infer<typeof rulePartSchema>;
export type RulePartKind = RulePart["kind"];

const quoted = (items: readonly string[]): string => `[${items.map((item) => `"${item}"`).join(", ")}]`;

/** The CEL of a condition in which all parts must be true. Throws on parts that the schema refuses. */
export function conditionOf(parts: readonly RulePart[]): string {
  const texts = z.array(rulePartSchema).min(1).parse(parts).map(textOf);
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
  const known = z.array(rulePartSchema).min(1).safeParse(parts);
  if (!known.success) return null;
  return conditionOf(known.data) === text ? known.data : null;
}

const LIST = /"([^"]*)"/g;
const listIn = (text: string): string[] => [...text.matchAll(LIST)].map(([, item = ""]) => item);

/** A guess at what a text says, which the caller checks. */
function partOf(text: string): unknown {
  if (text.startsWith("action in ")) return { kind: "actions", actions: listIn(text) };
  if (text.startsWith("currency == ")) return amountOf(text);
  if (text.startsWith("categories.")) return { kind: "categories", categories: listIn(text) };
  if (text.startsWith("session.labels.")) return { kind: "labels", labels: listIn(text) };
  if (text.startsWith("!(weekdayIn(")) return hoursOf(text);
  return newTargetsOf(text);
}

function amountOf(text: string): unknown {
  const limits = [...text.matchAll(/currency == "([A-Z]{3})" && amount > (\d+\.\d+)/g)];
  return {
    kind: "amount",
    limits: limits.map(([, currency, above = ""]) => ({ currency, above: above.replace(/\.0$/, "") })),
    others: text.includes("!(currency in "),
  };
}

function newTargetsOf(text: string): unknown {
  const to = text.includes("newToOrganization") ? "organization" : "agent";
  const kinds = Object.entries(TARGET_KINDS).find(([, test]) => test !== null && text.includes(`(t, ${test})`));
  return { kind: "newTargets", to, of: kinds?.[0] ?? "any" };
}

function hoursOf(text: string): unknown {
  const zone = /weekdayIn\(now, "([^"]*)"\)/.exec(text)?.[1];
  const weekdays = /\) in \[([\d, ]*)\]/.exec(text)?.[1]?.split(", ").map(Number);
  const [, from, until] = />= (\d+) && .* < (\d+)\)$/.exec(text) ?? [];
  return { kind: "outsideHours", zone, weekdays, from: Number(from), until: Number(until) };
}
