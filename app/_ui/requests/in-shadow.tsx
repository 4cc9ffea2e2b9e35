import { Section } from "@/app/_ui/bits";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { ShadowMatch } from "@/server/domain/shadow";

const WORDS = {
  matched: { deny: "would have denied it", approval: "would have asked a person" },
  unclear: { deny: "would have asked about the amount", approval: "would have asked about the amount" },
  failed: { deny: "would have failed, which denies", approval: "would have failed, which denies" },
} as const;

/** What rules in shadow would have done. Nothing of it was enforced. */
export function InShadow({ matches }: { matches: readonly ShadowMatch[] }) {
  if (matches.length === 0) return null;
  return (
    <Section title="Rules in shadow" id="shadow">
      <ul className="card divide-y divide-line">
        {matches.map(({ rule, name, verdict, outcome }) => (
          <li key={rule} className="flex flex-wrap items-center gap-2 px-4 py-3">
            <SafeText text={name} oneLine />
            <Pill tone={verdict === "deny" ? "stop" : "wait"}>{WORDS[outcome][verdict]}</Pill>
          </li>
        ))}
      </ul>
      <p className="text-sm text-text3">Recorded when it was asked, not enforced.</p>
    </Section>
  );
}
