import { plural } from "@/app/_lib/format";
import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { RuleSetView } from "@/server/services/rules/list-sets";

/** Every version of the rules: who made it, when and why. */
export function RuleHistory({ sets }: { sets: readonly RuleSetView[] }) {
  return (
    <ol className="grid gap-2 text-sm" reversed>
      {sets.map((set) => (
        <li key={set.version} className="grid gap-0.5">
          <span>
            <strong>v{set.version}</strong>, <At time={set.createdAt} />, <SafeText text={set.changerName} oneLine />
          </span>
          <span className="text-text2">
            {plural(set.rules.length, "rule")} in force
            {set.reason === "" ? null : (
              <>
                : “<SafeText text={set.reason} oneLine />”
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
