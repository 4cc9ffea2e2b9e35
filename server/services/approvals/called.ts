import type { OrgSql } from "@/server/db/with-org";
import { withStandIns } from "@/server/domain/absence";
import type { ApproverRole } from "@/server/domain/roles";
import { ofStage, upToStage } from "@/server/domain/stages";
import { everybodyWhoCould, type Person } from "@/server/services/approvals/who-could";

/**
 * Whom to tell of an approval that waits: who could approve it, up to the stage it is at, or of that stage alone; whoever
 * stands in, in the place of who is out. Nobody once it waits no longer.
 */
export async function peopleCalled(
  q: OrgSql,
  approvalId: string,
  { stage, alone }: { readonly stage: ApproverRole; readonly alone: boolean },
): Promise<readonly Person[]> {
  const could = await everybodyWhoCould(q, approvalId);
  return withStandIns(alone ? ofStage(could, stage) : upToStage(could, stage), could);
}
