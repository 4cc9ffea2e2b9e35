import { formatCount, plural } from "@/app/_lib/format";
import { Empty } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import { partsOf } from "@/server/domain/rule-forms";
import type { RuleView } from "@/server/services/rules/rule-view";
import type { countShadow } from "@/server/services/rules/shadow-counts";
import { conditionWords } from "./part-words";
import { EditRule, SwitchRule } from "./rule-form";
import type { RuleWords } from "./rule-words";

type Counts = Awaited<ReturnType<typeof countShadow>>["rules"][number];
type Props = {
  rules: readonly RuleView[];
  /** Of the rules in shadow. */
  counts: readonly Counts[];
  words: RuleWords;
  mayManage: boolean;
};

export function RuleList({ rules, counts, words, mayManage }: Props) {
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
          <ShadowCounts counts={rule.enabled ? counts.find((one) => one.rule === rule.id) : undefined} />
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

/** What a rule in shadow would have done, so that somebody can say whether to enforce it. */
function ShadowCounts({ counts }: { counts: Counts | undefined }) {
  if (!counts) return null;
  const { asked, denied, failed, since } = counts;
  return (
    <p className="text-text2">
      Not enforced. Since <At time={since} /> it would have asked {formatCount(asked)} times and denied{" "}
      {formatCount(denied)} times{failed > 0 ? `; it failed ${formatCount(failed)} times, which denies` : ""}.
    </p>
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
      {rule.isShadow ? <Pill tone="info">in shadow</Pill> : null}
      <span className="text-sm text-text2">{needs(rule)}</span>
    </div>
  );
}

function needs(rule: RuleView): string {
  if (rule.verdict === "deny") return "";
  const people = `${plural(rule.people, "person", "people")}, ${rule.requiredRole ?? "approver"} or above`;
  const within = withinWords(rule.expiresMinutes);
  return `${people}${within}${rule.secondIfQuick ? ", a second one if approved unread" : ""}`;
}

function withinWords(minutes: number | null): string {
  if (minutes === null) return "";
  return minutes === 0 ? ", never expires" : `, within ${plural(minutes, "minute")}`;
}
