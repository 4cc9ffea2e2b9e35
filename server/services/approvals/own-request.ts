import type { OrgSql } from "@/server/db/with-org";
import { REQUESTERS } from "@/server/services/approvals/requesters";

export const OWN_REQUESTS = ["could", "decided"] as const;
/** What an approval has of people deciding what they asked: who asked may decide it now, or did. */
export type OwnRequest = (typeof OWN_REQUESTS)[number];

/** Whether somebody who asked may decide what waits, in SQL over `approval a` and what `REQUESTERS` reads. */
export const OWN_COULD = `(a.status = 'pending' AND EXISTS (SELECT 1 FROM member m
  WHERE m.org_id = a.org_id AND m.id = ANY (${REQUESTERS}) AND app.decides_own(m, a.required_people, a.asked_at)))`;

type Row = { readonly own_could: boolean; readonly given: readonly { readonly isOwn: boolean }[] };

/** What a screen has to warn of. */
export function ownRequestOf({ own_could, given }: Row): OwnRequest | null {
  if (given.some(({ isOwn }) => isOwn)) return "decided";
  return own_could ? "could" : null;
}

/** Whether member `m` may decide even what they asked, in SQL over `approval a`; `people` is how many it takes. */
export const decidesOwnSql = (people: string): string => `app.decides_own(m, ${people}, a.asked_at)`;

/**
 * The same for one person, with the organization's row held to the end of the transaction: whoever comes to be able to
 * decide, by a role, a right or a way in, writes that row, so that they are here before this is read or after it ended.
 */
export async function decidesOwn(
  q: OrgSql,
  memberId: string,
  { id, requiredPeople }: { readonly id: string; readonly requiredPeople: number },
): Promise<boolean> {
  await q.query("SELECT 1 FROM organization WHERE id = app.org_id() FOR SHARE");
  const { rows } = await q.query<{ own: boolean }>(
    `SELECT ${decidesOwnSql("$3::int")} AS own FROM member m JOIN approval a ON a.org_id = m.org_id AND a.id = $2
     WHERE m.org_id = app.org_id() AND m.id = $1`,
    [memberId, id, requiredPeople],
  );
  return rows[0]?.own ?? false;
}
