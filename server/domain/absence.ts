/** The longest that somebody may be out at once. */
export const MAX_ABSENCE_DAYS = 60;
/** How long before it starts an absence may be set. */
export const MAX_ABSENCE_AHEAD_DAYS = 180;

/** Until when somebody is out, and who stands in: null where whoever was chosen may no longer decide as much. */
export type Away = { readonly until: Date; readonly standIn: { readonly id: string; readonly name: string } | null };

type Person = { readonly id: string; readonly away: Away | null };

/**
 * Whom to tell in the place of those called: of who is out, the one who stands in, where that one is here and could decide
 * this very thing. Nobody gains a say by it. All who were called where nobody is left, so that somebody is told.
 */
export function withStandIns<P extends Person>(called: readonly P[], could: readonly P[]): readonly P[] {
  const here = called.filter(({ away }) => away === null);
  const chosen = new Set(called.flatMap(({ away }) => away?.standIn?.id ?? []));
  const standIns = could.filter((person) => chosen.has(person.id) && person.away === null && !here.includes(person));
  return here.length + standIns.length === 0 ? called : [...here, ...standIns];
}
