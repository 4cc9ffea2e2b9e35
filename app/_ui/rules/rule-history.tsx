import type { Route } from "next";
import Link from "next/link";
import { plural } from "@/app/_lib/format";
import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { RuleSetView } from "@/server/services/rules/list-sets";

/** Every version of the rules: who made it, when and why, and the way to what it changed. */
export function RuleHistory({ sets }: { sets: readonly RuleSetView[] }) {
  return (
    <ol className="grid gap-2 text-sm" reversed>
      {sets.map((set) => (
        <li key={set.version} className="grid gap-0.5">
          <span>
            <Link className="link font-semibold" href={`/rules/versions/${set.version}` as Route} prefetch={false}>
              v{set.version}
            </Link>
            {set.restores === null ? "" : `, brings v${set.restores} back`}, <At time={set.createdAt} />,{" "}
            <SafeText text={set.changerName} oneLine />
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
