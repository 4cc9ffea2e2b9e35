import { plural } from "@/app/_lib/format";
import { Money, Section } from "@/app/_ui/bits";
import { ReadPart } from "@/app/_ui/read-part";
import { SafeText } from "@/app/_ui/safe-text";
import type { ChangedSince } from "@/server/domain/changed-since";

const VERDICTS = {
  as_asked: ["notice notice-ok", "Judged anew just now: it asks for what it asked for then."],
  asks_more: [
    "notice notice-wait",
    "Judged anew just now: it takes more than it took then. Approving asks for it anew.",
  ],
  other_call: [
    "notice notice-wait",
    "Judged anew just now: what would run rests on something else than then. Approving asks for it anew.",
  ],
  refused: ["notice notice-stop", "Judged anew just now: it is refused, so it cannot be approved."],
} as const;

/** Of what has waited for long: what changed since it was asked, and what a decision would come to now. */
export function ChangedSinceView({ changed }: { changed: ChangedSince | null | undefined }) {
  if (!changed) return null;
  const [tone, words] = VERDICTS[changed.verdict];
  return (
    <Section title="What changed since it was asked" id="changed">
      <ReadPart label="changes">
        <div className={tone}>
          <strong className="block">{words}</strong>
          {changed.why === null ? null : <SafeText text={changed.why} />}
        </div>
        <Parts changed={changed} />
      </ReadPart>
    </Section>
  );
}

function Parts({ changed }: { changed: ChangedSince }) {
  const { rules, grant, price, knownSince, knownSinceCount, asksBesides, asksNoMore } = changed;
  const isSame = !rules && !grant && !price && knownSinceCount + asksBesides.length + asksNoMore.length === 0;
  if (isSame) return <p className="text-text2">The rules, the grant, the recipients and the price are as they were.</p>;
  return (
    <ul className="grid gap-1 text-text2">
      {rules ? (
        <li>
          The rules went from version {rules.from} to {rules.to}.
        </li>
      ) : null}
      {grant ? <li>{grantWords(grant)}</li> : null}
      {price ? (
        <li>
          The price went from <PriceWords price={price.from} /> to <PriceWords price={price.to} />.
        </li>
      ) : null}
      {knownSinceCount > 0 ? (
        <li>
          The agent has reached {plural(knownSinceCount, "recipient")} of it since{knownSince.length > 0 ? ": " : "."}
          {knownSince.length > 0 ? <SafeText text={knownSince.join(", ")} oneLine /> : null}
        </li>
      ) : null}
      {asksBesides.map((text) => (
        <li key={text}>
          New reason: <SafeText text={text} />
        </li>
      ))}
      {asksNoMore.map((text) => (
        <li key={text}>
          No longer a reason: <SafeText text={text} />
        </li>
      ))}
    </ul>
  );
}

const grantWords = ({ from, to }: NonNullable<ChangedSince["grant"]>): string =>
  to === null
    ? "The grant that it was asked under is not the one in force."
    : `The grant went from version ${from} to ${to}.`;

function PriceWords({ price }: { price: { micros: string; currency: string } | null }) {
  return price === null ? <>nothing</> : <Money micros={BigInt(price.micros)} currency={price.currency} />;
}
