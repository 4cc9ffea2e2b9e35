import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { ControlChangeView } from "@/server/services/controls/list-changes";

/** Who moved a control, when and why, newest first. */
export function ControlHistory({ changes }: { changes: readonly ControlChangeView[] }) {
  if (changes.length === 0) return <p className="text-text2">No control was ever moved.</p>;
  return (
    <ol className="grid gap-2" reversed>
      {changes.map((change) => (
        <li key={change.version} className="grid gap-0.5">
          <span>
            <span className="text-sm text-text3">
              <At time={change.at} />
            </span>{" "}
            <strong>
              <SafeText text={change.byName} oneLine />
            </strong>{" "}
            {wordsOf(change)}
          </span>
          {change.reason ? (
            <span className="text-text2">
              “<SafeText text={change.reason} />”
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

function wordsOf({ control, level, subject, enabled }: ControlChangeView): string {
  if (control === "read_only") return enabled ? "made all agents read-only" : "ended read-only";
  if (control === "action") return `switched ${subject ?? "an action"} ${enabled ? "on" : "off"}`;
  if (!enabled) return level === "lockdown" ? "lifted the lockdown" : "lifted the freeze";
  return level === "lockdown" ? "locked everything down" : "froze all agents";
}
