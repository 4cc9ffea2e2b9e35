import { plural } from "@/app/_lib/format";
import { Section } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { ApprovalDetail } from "@/app/_ui/types";
import type { Away } from "@/server/domain/absence";

/** Who could approve it right now. */
export function WhoCould({ approval: { whoCould } }: { approval: ApprovalDetail }) {
  if (!whoCould || whoCould.count === 0) return null;
  const more = whoCould.count - whoCould.people.length;
  return (
    <Section title="Who could approve this now" id="who">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-text2">
        {whoCould.people.map((person) => (
          <li key={person.id}>
            <SafeText text={person.name} oneLine /> <span className="text-text3">{person.role}</span>
            {person.away ? <AwayWords away={person.away} /> : null}
          </li>
        ))}
        {more > 0 ? <li>and {plural(more, "other")}</li> : null}
      </ul>
    </Section>
  );
}

/** It takes nothing from what they may decide: they are not expected to. */
function AwayWords({ away: { until, standIn } }: { away: Away }) {
  return (
    <span className="text-text3">
      , out until <At time={until} />;{" "}
      {standIn ? (
        <>
          <SafeText text={standIn.name} oneLine /> stands in
        </>
      ) : (
        "nobody stands in"
      )}
    </span>
  );
}

/** Why nobody can approve it as things stand. */
export function NobodyCan({ approval }: { approval: ApprovalDetail }) {
  if (!approval.whoCould?.nobody) return null;
  return (
    <p className="notice notice-wait">
      {approval.whoCould.nobody} Until then it only waits{approval.expiresAt ? " to expire" : ""}.
    </p>
  );
}
