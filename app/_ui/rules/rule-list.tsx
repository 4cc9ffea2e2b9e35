import { plural } from "@/app/_lib/format";
import { Empty } from "@/app/_ui/bits";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import { partsOf } from "@/server/domain/rule-forms";
import type { RuleView } from "@/server/services/rules/rule-view";
import { conditionWords } from "./part-words";
import { EditRule, SwitchRule } from "./rule-form";
import type { RuleWords } from "./rule-words";

type Props = { rules: readonly RuleView[]; words: RuleWords; mayManage: boolean };

export function RuleList({ rules, words, mayManage }: Props) {
  if (rules.length === 0) {
    return (
      <Empty card>
        <p>No rule of your own. The floor stands without one: high risk and whatever leaves an unclean session asks.</p>
      </Empty>
    );
  }
  return (
    <ul className="grid gap-3" aria-label="Rules">
      {rules.map((rule) => (
        <li key={rule.id} className="card grid gap-3 p-4">
          <RuleHead rule={rule} />
          <ConditionSentence condition={rule.condition} />
          <pre className="exact mono rounded-md bg-sunken p-3">
            <SafeText text={rule.condition} source />
          </pre>
          {mayManage ? (
            <div className="flex flex-wrap gap-2">
              <EditRule rule={rule} words={words} />
              <SwitchRule rule={rule} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** In words, where a form could have written it. */
function ConditionSentence({ condition }: { condition: string }) {
  const parts = partsOf(condition);
  return parts === null ? null : <p className="min-w-0 wrap-anywhere">{conditionWords(parts)}</p>;
}

function RuleHead({ rule }: { rule: RuleView }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="text-md font-semibold">
        <SafeText text={rule.name} oneLine />
      </h2>
      <Pill tone={rule.verdict === "deny" ? "stop" : "wait"}>{rule.verdict === "deny" ? "denies" : "asks"}</Pill>
      {rule.enabled ? null : <Pill tone="quiet">off</Pill>}
      <span className="text-sm text-text2">{needs(rule)}</span>
    </div>
  );
}

function needs(rule: RuleView): string {
  if (rule.verdict === "deny") return "";
  const people = `${plural(rule.people, "person", "people")}, ${rule.requiredRole ?? "approver"} or above`;
  return rule.expiresMinutes === null ? people : `${people}, within ${plural(rule.expiresMinutes, "minute")}`;
}
