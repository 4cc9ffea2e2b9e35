import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { agentChoices } from "@/app/_lib/choices";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { AuditFilter } from "@/app/_ui/audit/audit-filter";
import { AuditList } from "@/app/_ui/audit/audit-list";
import { VerifyAudit } from "@/app/_ui/audit/verify";
import { PageHead } from "@/app/_ui/bits";
import { Older, Page } from "@/app/_ui/pages";
import { listAudit } from "@/server/services/audit/list";
import { listMembers } from "@/server/services/identity/members/list-members";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("audit:read");
  const query = await searchParams;
  const fields = ["who", "what", "request"].map((name) => [name, first(query[name])] as const);
  const filter = Object.fromEntries(fields.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
  const cursor = first(query.cursor);
  const [page, members, agents] = await Promise.all([
    orNotFound(listAudit(actor, { ...filter, ...(cursor ? { cursor } : {}) })),
    listMembers(actor, { limit: 100 }),
    agentChoices(actor),
  ]);
  const people = [...members.items, ...agents.map(({ value, label }) => ({ id: value, name: label }))];
  return (
    <Page>
      <PageHead title="Audit">
        <span className="ml-auto flex flex-wrap gap-2">
          <a className="btn" href="/api/v1/audit/export?format=jsonl" download>
            Export JSONL
          </a>
          <a className="btn" href="/api/v1/audit/export?format=csv" download>
            Export CSV
          </a>
        </span>
      </PageHead>
      <VerifyAudit />
      <AuditFilter who={filter.who} what={filter.what} people={people} />
      <div className="card overflow-hidden">
        <AuditList items={page.items} names={page.names} filtered={Object.keys(filter).length > 0} />
        <Older path="/audit" params={filter} cursor={page.nextCursor} />
      </div>
    </Page>
  );
}
