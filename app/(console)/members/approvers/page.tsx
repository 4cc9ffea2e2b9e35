import type { Metadata } from "next";
import { requireActor } from "@/app/_lib/actor";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead } from "@/app/_ui/bits";
import { ApproverFigureList } from "@/app/_ui/members/approver-figures";
import { PeriodFilter } from "@/app/_ui/members/period-filter";
import { Page } from "@/app/_ui/pages";
import { approverFigures } from "@/server/services/approver-safety/figures";

export const metadata: Metadata = { title: "How approvers decide" };

const PERIODS = [7, 30, 90] as const;

/** For owners: whether approvals are read before they are given. */
export default async function ApproversPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("approver_figures:read");
  const asked = Number(first((await searchParams).days));
  const days = PERIODS.find((period) => period === asked) ?? 30;
  const { items } = await approverFigures(actor, { days });
  return (
    <Page>
      <PageHead title="How approvers decide" />
      <p className="max-w-[44rem] text-text2">
        From this organization's own records, shown to owners only and sent nowhere. Too quick is an approval that came
        before its call could have been read at twice the speed most people read at, or that was never opened. A rule
        can ask for a second person then.
      </p>
      <PeriodFilter path="/members/approvers" periods={PERIODS} days={days} />
      <ApproverFigureList items={items} days={days} />
    </Page>
  );
}
