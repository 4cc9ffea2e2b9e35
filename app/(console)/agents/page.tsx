import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { departmentChoices, ownerChoices } from "@/app/_lib/choices";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { CreateAgent } from "@/app/_ui/agents/agent-form";
import { AgentList } from "@/app/_ui/agents/agent-list";
import { PageHead } from "@/app/_ui/bits";
import { Older, Page } from "@/app/_ui/pages";
import { listAgents } from "@/server/services/agents/list";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("agent:read");
  const cursor = first((await searchParams).cursor);
  const [page, owners, departments] = await Promise.all([
    orNotFound(listAgents(actor, cursor ? { cursor } : {})),
    ownerChoices(actor),
    departmentChoices(actor),
  ]);
  return (
    <Page>
      <PageHead title="Agents">
        {actor.permissions.has("agent:manage") ? <CreateAgent owners={owners} departments={departments} /> : null}
      </PageHead>
      <div className="card overflow-hidden">
        <AgentList agents={page.items} />
        <Older path="/agents" params={{}} cursor={page.nextCursor} />
      </div>
    </Page>
  );
}
