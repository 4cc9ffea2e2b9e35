import { z } from "zod";
import { ARGUMENT_RULES, type ArgumentRule, isArgumentRule } from "@/server/domain/actions/rules";
import { type AmountReading, findAmount } from "@/server/domain/amounts";
import type { Category } from "@/server/domain/categories";
import type { EditKind, Edits } from "@/server/domain/edit";
import type { JsonValue } from "@/server/domain/json";
import { cutText } from "@/server/domain/text";

const EFFECTS = ["read", "write"] as const;
export type Effect = (typeof EFFECTS)[number];

/** Ascending. */
export const RISKS = ["low", "medium", "high"] as const;
export const riskSchema = z.enum(RISKS);
export type Risk = (typeof RISKS)[number];

export const isRiskWithin = (risk: Risk, highest: Risk): boolean => RISKS.indexOf(risk) <= RISKS.indexOf(highest);

/** How long a person may still cancel after approval, in whole seconds. */
type Undo = { readonly defaultS: number; readonly minS: number; readonly maxS: number };

/** Micro-units of an ISO 4217 currency for one call. */
type Price = { readonly micros: bigint; readonly currency: string };

/** Which argument is refused and by which rule. Never the value. */
export type Refusal = { readonly field: string; readonly rule: ArgumentRule };

/** Whether the organization trusts a destination, as `targets` spells it. */
export type Trusts = (destination: string) => boolean;

declare const parsed: unique symbol;
/** Arguments that have passed their action's schema in this process. Anything else makes the action throw. */
export type ActionArguments = { readonly [parsed]: true };

type ParseResult =
  | { readonly ok: true; readonly args: ActionArguments }
  | { readonly ok: false; readonly refusals: readonly [Refusal, ...Refusal[]] };

/** What is known of one call before it runs; the gateway's facts. */
export type Classification = {
  readonly effect: Effect;
  readonly irreversible: boolean;
  readonly outward: boolean;
  readonly risk: Risk;
  readonly targets: readonly string[];
};

type Manifest = {
  /** `tool.action`, such as `http.request`. */
  readonly name: string;
  readonly provider: string;
  readonly summary: string;
  readonly capability: string;
  /** Raise it when the meaning changes but the schema does not: what was approved before is void. */
  readonly revision: number;
  readonly risk: Risk;
  readonly undo: Undo | null;
  readonly price: Price | null;
  /** Whether the provider honours an idempotency key, so that a lost answer may be retried. */
  readonly honoursIdempotencyKey: boolean;
  /** No call of it merely reads, so a grant that only reads cannot name it. */
  readonly onlyWrites?: true;
};

/** One action as its file declares it. Functions are pure and see only parsed arguments. */
export type ActionSpec<A extends object, L> = Manifest & {
  /** A `strictObject` with limits and without transforms: what is stored, shown and run is one text. */
  readonly input: z.ZodType<A, A>;
  readonly allowList: z.ZodType<L>;
  readonly effect: (args: A) => Effect;
  readonly irreversible: (args: A) => boolean;
  readonly outward: (args: A, trusts: Trusts) => boolean;
  readonly targets: (args: A) => readonly string[];
  readonly refuse: (allow: L, args: A) => Refusal | null;
  /** What one call asks for, in a few words with its own arguments. Without it, the summary stands. */
  readonly headline?: (args: A) => string;
  /** What the call pays or moves, typed by the schema. Without it, arguments named like an amount are looked at. */
  readonly amount?: (args: A) => AmountReading;
  /** What kinds of things this call touches, apart from what the gateway finds by itself. */
  readonly categories?: (args: A) => readonly Category[];
  /** What an approver may change before approving. Without it: nothing. */
  readonly edits?: { readonly [K in keyof A & string]?: EditKind };
};

/** An action as the gateway and the connectors see it. */
export type ActionDefinition = Manifest & {
  readonly input: z.ZodType;
  readonly allowList: z.ZodType;
  /** Checks raw arguments against the schema. */
  readonly parse: (raw: unknown) => ParseResult;
  readonly classify: (args: ActionArguments, trusts: Trusts) => Classification;
  /** What the grant's allow-list refuses. A missing, malformed or empty list allows nothing. */
  readonly checkAllowList: (allow: unknown, args: ActionArguments) => Refusal | null;
  readonly categories: (args: ActionArguments) => readonly Category[];
  readonly amount: (args: ActionArguments) => AmountReading;
  readonly edits: Edits;
  /** One call in a few words. It quotes arguments: content, for those who may see it. */
  readonly headline: (args: ActionArguments) => string;
  /** The text whose hash pins this definition: equal exactly while name, schema and properties are. */
  readonly definitionText: () => string;
};

/** A sentence for people about a rule. */
export const explainRule = (rule: ArgumentRule): string => ARGUMENT_RULES[rule];

const MAX_HEADLINE = 200;

/** Turns a typed declaration into a definition that refuses arguments nobody parsed. */
export function defineAction<A extends object, L>(spec: ActionSpec<A, L>): ActionDefinition {
  const seen = new WeakSet<object>();
  const own = (args: ActionArguments): A => {
    if (!seen.has(args)) throw new Error(`arguments of ${spec.name} were not parsed`);
    return args as unknown as A;
  };
  let text: string | undefined;
  return {
    ...manifestOf(spec),
    input: spec.input,
    allowList: spec.allowList,
    parse(raw) {
      const result = spec.input.safeParse(raw);
      if (!result.success) return { ok: false, refusals: refusalsOf(result.error) };
      seen.add(result.data);
      return { ok: true, args: result.data as unknown as ActionArguments };
    },
    classify: (args, trusts) => classify(spec, own(args), trusts),
    checkAllowList(allow, args) {
      const list = spec.allowList.safeParse(allow ?? {});
      if (!list.success) return { field: "", rule: "allow_list_malformed" };
      return spec.refuse(list.data, own(args));
    },
    amount: (args) => spec.amount?.(own(args)) ?? findAmount(own(args) as JsonValue),
    categories: (args) => spec.categories?.(own(args)) ?? [],
    edits: { ...spec.edits },
    headline: (args) => cutText(spec.headline?.(own(args)) ?? spec.summary, MAX_HEADLINE),
    definitionText() {
      text ??= definitionText(spec);
      return text;
    },
  };
}

const manifestOf = (spec: Manifest): Manifest => ({
  name: spec.name,
  provider: spec.provider,
  summary: spec.summary,
  capability: spec.capability,
  revision: spec.revision,
  risk: spec.risk,
  undo: spec.undo,
  price: spec.price,
  honoursIdempotencyKey: spec.honoursIdempotencyKey,
  ...(spec.onlyWrites ? { onlyWrites: true } : {}),
});

function classify<A extends object, L>(spec: ActionSpec<A, L>, args: A, trusts: Trusts): Classification {
  return {
    effect: spec.effect(args),
    irreversible: spec.irreversible(args),
    outward: spec.outward(args, trusts),
    risk: spec.risk,
    targets: spec.targets(args),
  };
}

const MAX_REFUSALS = 20;

function refusalsOf(error: z.ZodError): [Refusal, ...Refusal[]] {
  const refusals = error.issues.slice(0, MAX_REFUSALS).map(refusalOf);
  const [first, ...rest] = refusals;
  return [first ?? { field: "", rule: "invalid" }, ...rest];
}

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  const field = fieldOf(issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path);
  const custom: unknown = issue.code === "custom" ? issue.params?.rule : undefined;
  const rule = isArgumentRule(custom) ? custom : isArgumentRule(issue.code) ? issue.code : "invalid";
  return { field, rule };
}

const MAX_FIELD = 100;

/** `to[0]`, `headers.accept`. Cut short, since an unknown key is the caller's text. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "")
    .slice(0, MAX_FIELD);

function definitionText(spec: Manifest & { readonly input: z.ZodType }): string {
  const { price, ...rest } = manifestOf(spec);
  const schema = z.toJSONSchema(spec.input, { io: "input", unrepresentable: "any" });
  return stableJson({ ...rest, price: price && { micros: `${price.micros}`, currency: price.currency }, schema });
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
