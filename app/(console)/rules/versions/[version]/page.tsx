import type { Metadata } from "next";
import Link from "next/link";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { Empty, PageHead, Section } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { Page } from "@/app/_ui/pages";
import { CompareWith } from "@/app/_ui/rules/compare-with";
import { RestoreRules } from "@/app/_ui/rules/restore-rules";
import { RuleChanges } from "@/app/_ui/rules/rule-changes";
import { SafeText } from "@/app/_ui/safe-text";
import { getRuleSet, type RuleSetDetails } from "@/server/services/rules/get-set";

export const metadata: Metadata = { title: "Version of the rules" };

type Props = { params: Promise<{ version: string }>; searchParams: Promise<SearchParams> };

export default async function RuleVersionPage({ params, searchParams }: Props) {
  const actor = await requireActor("rule:read");
  const against = first((await searchParams).against);
  const version = Number((await params).version);
  const set = await orNotFound(
    getRuleSet(actor, { version, ...(against === undefined ? {} : { against: Number(against) }) }),
  );
  return (
    <Page>
      <PageHead title={`Rules, v${set.version}`}>
        {set.isCurrent ? <span className="text-text2">in force</span> : null}
        {actor.permissions.has("rule:manage") && !set.isCurrent ? (
          <RestoreRules version={set.version} current={set.currentVersion} />
        ) : null}
      </PageHead>
      <About set={set} />
      {set.against === null ? null : (
        <Section title={`What changed against v${set.against}`} id="changes">
          <CompareWith version={set.version} against={set.against} newest={set.currentVersion} />
          <RuleChanges changes={set.changes} />
        </Section>
      )}
      <Section title="Rules of this version" id="rules">
        <RulesOf set={set} />
      </Section>
      <p>
        <Link className="link" href="/rules">
          All rules and versions
        </Link>
      </p>
    </Page>
  );
}

function About({ set }: { set: RuleSetDetails }) {
  return (
    <p className="text-text2">
      Made by <SafeText text={set.changerName} oneLine />, <At time={set.createdAt} />
      {set.restores === null ? null : `, bringing v${set.restores} back`}
      {set.reason === "" ? (
        ", without a reason"
      ) : (
        <>
          : “<SafeText text={set.reason} oneLine />”
        </>
      )}
      .
    </p>
  );
}

function RulesOf({ set }: { set: RuleSetDetails }) {
  if (set.rules.length === 0) return <Empty card>No rule was in force. The floor stands without one.</Empty>;
  return (
    <ul className="grid gap-3" aria-label="Rules">
      {set.rules.map((rule) => (
        <li key={rule.id} className="card grid gap-2 p-4">
          <h3 className="font-semibold">
            <SafeText text={rule.name} oneLine />
          </h3>
          <pre className="exact mono rounded-md bg-sunken p-3">
            <SafeText text={rule.condition} source />
          </pre>
        </li>
      ))}
    </ul>
  );
}
