import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { ruleWords } from "@/app/_lib/rule-words";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead, Section } from "@/app/_ui/bits";
import { Older, Page } from "@/app/_ui/pages";
import { CreateRule } from "@/app/_ui/rules/rule-form";
import { RuleHistory } from "@/app/_ui/rules/rule-history";
import { RuleList } from "@/app/_ui/rules/rule-list";
import { listRules } from "@/server/services/rules/list";
import { listRuleSets } from "@/server/services/rules/list-sets";
import { countShadow } from "@/server/services/rules/shadow-counts";

export const metadata: Metadata = { title: "Rules" };

export default async function RulesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("rule:read");
  const cursor = first((await searchParams).cursor);
  const [page, sets, shadow] = await Promise.all([
    orNotFound(listRules(actor, cursor ? { cursor } : {})),
    listRuleSets(actor, { limit: 20 }),
    countShadow(actor, {}),
  ]);
  const mayManage = actor.permissions.has("rule:manage");
  const words = ruleWords();
  return (
    <Page>
      <PageHead title="Rules">{mayManage ? <CreateRule words={words} /> : null}</PageHead>
      <RuleList rules={page.items} counts={shadow.rules} words={words} mayManage={mayManage} />
      <Older path="/rules" params={{}} cursor={page.nextCursor} />
      {sets.items.length > 0 ? (
        <Section title="Versions" id="versions">
          <RuleHistory sets={sets.items} />
        </Section>
      ) : null}
    </Page>
  );
}
