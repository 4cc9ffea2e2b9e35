import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { requestRow } from "@/app/_lib/request-views";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead } from "@/app/_ui/bits";
import { Older, Page } from "@/app/_ui/pages";
import { RequestFilter } from "@/app/_ui/requests/request-filter";
import { RequestList } from "@/app/_ui/requests/request-list";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { listToolRequests } from "@/server/services/requests/list";

export const metadata: Metadata = { title: "Requests" };

export default async function RequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("request:read");
  const query = await searchParams;
  const status = requestStatusSchema.safeParse(first(query.status)).data;
  const cursor = first(query.cursor);
  const proposals = status === undefined && first(query.proposals) === "true";
  const filter = status === undefined ? {} : { status };
  const only = proposals ? { proposals } : filter;
  const page = await orNotFound(listToolRequests(actor, { ...only, ...(cursor ? { cursor } : {}) }));
  return (
    <Page>
      <PageHead title="Requests" />
      <RequestFilter status={status} proposals={proposals} />
      <div className="card overflow-hidden">
        <RequestList rows={page.items.map(requestRow)} filtered={status !== undefined || proposals} />
        <Older path="/requests" params={proposals ? { proposals: "true" } : filter} cursor={page.nextCursor} />
      </div>
    </Page>
  );
}
