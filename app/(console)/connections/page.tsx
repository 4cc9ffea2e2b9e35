import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead, Section } from "@/app/_ui/bits";
import { CreateConnection } from "@/app/_ui/connections/connection-form";
import { ConnectionList } from "@/app/_ui/connections/connection-list";
import { Destinations } from "@/app/_ui/connections/destinations";
import { Older, Page } from "@/app/_ui/pages";
import { listConnections } from "@/server/services/connections/list";
import { listDestinations } from "@/server/services/destinations/list";

export const metadata: Metadata = { title: "Connections" };

export default async function ConnectionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("connection:read");
  const cursor = first((await searchParams).cursor);
  const [page, destinations] = await Promise.all([
    orNotFound(listConnections(actor, cursor ? { cursor } : {})),
    listDestinations(actor, { limit: 100 }),
  ]);
  const mayManage = actor.permissions.has("connection:manage");
  return (
    <Page>
      <PageHead title="Connections">{mayManage ? <CreateConnection /> : null}</PageHead>
      <ConnectionList connections={page.items} mayManage={mayManage} />
      <Older path="/connections" params={{}} cursor={page.nextCursor} />
      <Section title="Trusted destinations" id="trusted">
        <Destinations destinations={destinations.items} mayManage={actor.permissions.has("grant:manage")} />
      </Section>
    </Page>
  );
}
