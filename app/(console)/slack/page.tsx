import type { Metadata } from "next";
import { requireActor } from "@/app/_lib/actor";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { returnedWords } from "@/app/_lib/slack-words";
import { PageHead, Section } from "@/app/_ui/bits";
import { Page } from "@/app/_ui/pages";
import { SlackAdmin } from "@/app/_ui/slack/admin";
import { OwnLinks } from "@/app/_ui/slack/own-links";
import { Phrase } from "@/app/_ui/slack/phrase";
import { listOwnSlackLinks, listSlackLinks } from "@/server/services/slack/links";
import { listSlackWorkspaces } from "@/server/services/slack/list-workspaces";
import { getSlackManifest } from "@/server/services/slack/manifest";
import { getSlackPhrase } from "@/server/services/slack/phrase";
import { hasSlackApp } from "@/server/services/slack/slack-app";

export const metadata: Metadata = { title: "Slack" };

export default async function SlackPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("self:read");
  const { done, problem } = await searchParams;
  const returned = returnedWords(first(done), first(problem));
  const own = await listOwnSlackLinks(actor, {});
  const mayManage = actor.permissions.has("organization:manage");
  return (
    <Page>
      <PageHead title="Slack" />
      {returned ? (
        <p role="status" className={`notice notice-${returned.tone}`}>
          {returned.words}
        </p>
      ) : null}
      <Section title="You in Slack" id="own">
        <OwnLinks links={own.items} canSignIn={hasSlackApp()} />
      </Section>
      {actor.permissions.has("approval:decide") ? (
        <Section title="The phrase on cards" id="phrase">
          <Phrase {...(await getSlackPhrase(actor, {}))} mayChange={mayManage} />
        </Section>
      ) : null}
      {mayManage ? (
        <SlackAdmin
          slack={await listSlackWorkspaces(actor, {})}
          links={(await listSlackLinks(actor, {})).items}
          manifest={await getSlackManifest(actor, {})}
        />
      ) : null}
    </Page>
  );
}
