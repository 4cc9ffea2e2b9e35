import type { Metadata } from "next";
import Link from "next/link";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { rightChoices } from "@/app/_lib/choices";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { AbsenceList } from "@/app/_ui/absences/absence-list";
import { PageHead, Section } from "@/app/_ui/bits";
import { InviteMember } from "@/app/_ui/members/member-form";
import { MemberList } from "@/app/_ui/members/member-list";
import { RightList } from "@/app/_ui/members/right-list";
import { Older, Page } from "@/app/_ui/pages";
import { listAbsences } from "@/server/services/absences/list";
import { listRights } from "@/server/services/approval-rights/list";
import { listMembers } from "@/server/services/identity/members/list-members";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("member:read");
  const cursor = first((await searchParams).cursor);
  const mayManage = actor.permissions.has("member:manage");
  const [page, rights, absences, choices] = await Promise.all([
    orNotFound(listMembers(actor, cursor ? { cursor } : {})),
    listRights(actor, {}),
    listAbsences(actor, {}),
    rightChoices(actor),
  ]);
  return (
    <Page>
      <PageHead title="Members">
        {actor.permissions.has("approver_figures:read") ? (
          <Link className="btn" href="/members/approvers" prefetch={false}>
            How approvers decide
          </Link>
        ) : null}
        {mayManage ? <InviteMember /> : null}
      </PageHead>
      <div className="card overflow-hidden">
        <MemberList members={page.items} mayManage={mayManage} viewerId={actor.memberId} choices={choices} />
        <Older path="/members" params={{}} cursor={page.nextCursor} />
      </div>
      <Section title="Out of office" id="absences">
        <AbsenceList absences={absences.items} mayManage={mayManage} />
      </Section>
      <Section title="Rights to approve" id="rights">
        <RightList rights={rights.items} mayManage={mayManage} />
      </Section>
    </Page>
  );
}
