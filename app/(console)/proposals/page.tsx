import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { requestRow } from "@/app/_lib/request-views";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead } from "@/app/_ui/bits";
import { Older, Page } from "@/app/_ui/pages";
import { ProposalFilter } from "@/app/_ui/requests/request-filter";
import { RequestList } from "@/app/_ui/requests/request-list";
import { listToolRequests } from "@/server/services/requests/list";

export const metadata: Metadata = { title: "Proposals" };

export default async function ProposalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("request:read");
  const query = await searchParams;
  const isTaken = first(query.taken) === "true";
  const cursor = first(query.cursor);
  const page = await orNotFound(
    listToolRequests(actor, { proposals: true, takenUp: isTaken, ...(cursor ? { cursor } : {}) }),
  );
  return (
    <Page>
      <PageHead title="Proposals" />
      <p className="max-w-[48rem] text-text2">
        What agents would do if they might: agents that only suggest, and every agent in read-only mode. Open one to
        read the exact call and take it up.
      </p>
      <ProposalFilter isTaken={isTaken} />
      <div className="card overflow-hidden">
        <RequestList
          rows={page.items.map(requestRow)}
          empty={isTaken ? "No proposal was taken up yet." : "No proposal waits to be taken up."}
        />
        <Older path="/proposals" params={isTaken ? { taken: "true" } : {}} cursor={page.nextCursor} />
      </div>
    </Page>
  );
}
