import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead } from "@/app/_ui/bits";
import { InviteMember } from "@/app/_ui/members/member-form";
import { MemberList } from "@/app/_ui/members/member-list";
import { Older, Page } from "@/app/_ui/pages";
import { listMembers } from "@/server/services/identity/members/list-members";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("member:read");
  const cursor = first((await searchParams).cursor);
  const page = await orNotFound(listMembers(actor, cursor ? { cursor } : {}));
  const mayManage = actor.permissions.has("member:manage");
  return (
    <Page>
      <PageHead title="Members">{mayManage ? <InviteMember /> : null}</PageHead>
      <div className="card overflow-hidden">
        <MemberList members={page.items} mayManage={mayManage} viewerId={actor.memberId} />
        <Older path="/members" params={{}} cursor={page.nextCursor} />
      </div>
    </Page>
  );
}
