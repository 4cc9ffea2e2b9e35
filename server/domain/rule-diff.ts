import type { Rule } from "@/server/domain/rule";

/** What of a rule people compare, in the order they read it. */
const RULE_FIELDS = [
  "name",
  "verdict",
  "condition",
  "requiredRole",
  "people",
  "expiresMinutes",
  "secondIfQuick",
  "isShadow",
] as const;
export type RuleField = (typeof RULE_FIELDS)[number];

export type FieldChange = {
  readonly field: RuleField;
  /** Null where the rule says nothing about it. */
  readonly from: string | null;
  readonly to: string | null;
};

/** How one rule differs between two versions. Of an added or removed rule every field it has is listed. */
export type RuleChange = {
  readonly kind: "added" | "removed" | "changed";
  readonly id: string;
  /** As the later version calls it. */
  readonly name: string;
  readonly fields: readonly FieldChange[];
};

/** What turns one version of the rules into another, by rule, in the order of ids. Rules that are equal are left out. */
export function diffRules(before: readonly Rule[], after: readonly Rule[]): RuleChange[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const is = new Map(after.map((rule) => [rule.id, rule]));
  const ids = [...new Set([...was.keys(), ...is.keys()])].sort();
  return ids.flatMap((id) => changeOf(id, was.get(id), is.get(id)));
}

function changeOf(id: string, before: Rule | undefined, after: Rule | undefined): RuleChange[] {
  const fields = RULE_FIELDS.map((field) => ({
    field,
    from: written(before, field),
    to: written(after, field),
  })).filter(({ from, to }) => from !== to);
  if (fields.length === 0) return [];
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ kind, id, name: after?.name ?? before?.name ?? "", fields }];
}

function written(rule: Rule | undefined, field: RuleField): string | null {
  const value = (rule as Partial<Record<RuleField, string | number | boolean>> | undefined)?.[field];
  return value === undefined ? null : String(value);
}
