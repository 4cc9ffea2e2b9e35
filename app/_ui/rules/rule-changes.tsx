import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { FieldChange, RuleChange, RuleField } from "@/server/domain/rule-diff";

const KINDS = {
  added: { word: "added", tone: "ok" },
  removed: { word: "removed", tone: "stop" },
  changed: { word: "changed", tone: "wait" },
} as const;

const NAMES: Record<RuleField, string> = {
  name: "Name",
  verdict: "What it does",
  condition: "When",
  requiredRole: "Who",
  people: "How many",
  expiresMinutes: "Within minutes",
  secondIfQuick: "A second person if quick",
  isShadow: "In shadow",
};

/** What turns one version of the rules into another, rule by rule, before and after in words. */
export function RuleChanges({ changes }: { changes: readonly RuleChange[] }) {
  if (changes.length === 0) return <p className="text-text2">The same rules.</p>;
  return (
    <ul className="grid gap-3" aria-label="Changes">
      {changes.map((change) => (
        <li key={change.id} className="card grid gap-2 p-4">
          <h3 className="flex flex-wrap items-center gap-2 font-semibold">
            <SafeText text={change.name} oneLine />
            <Pill tone={KINDS[change.kind].tone}>{KINDS[change.kind].word}</Pill>
          </h3>
          <dl className="grid gap-2 text-sm">
            {change.fields.map((field) => (
              <Field key={field.field} change={field} />
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Field({ change: { field, from, to } }: { change: FieldChange }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-text3">{NAMES[field]}</dt>
      {from === null ? null : (
        <dd>
          <del className="text-stop">
            <span className="sr-only">before: </span>
            <SafeText text={from} source mono={field === "condition"} />
          </del>
        </dd>
      )}
      {to === null ? null : (
        <dd>
          <ins className="text-ok no-underline">
            <span className="sr-only">after: </span>
            <SafeText text={to} source mono={field === "condition"} />
          </ins>
        </dd>
      )}
    </div>
  );
}
