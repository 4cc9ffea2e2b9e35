import type { OrgSql } from "@/server/db/with-org";
import type { Away } from "@/server/domain/absence";
import { readAbsences } from "@/server/services/absences/absence-view";

/** Who is out at this moment, with who stands in: judged anew each time, so that nobody stands in for more than they may. */
export async function awayNow(q: OrgSql): Promise<ReadonlyMap<string, Away>> {
  const out = (await readAbsences(q)).filter(({ isOut }) => isOut);
  return new Map(
    out.map(({ member, delegate, isStandingIn, until }) => [
      member.id,
      { until, standIn: isStandingIn ? delegate : null },
    ]),
  );
}
