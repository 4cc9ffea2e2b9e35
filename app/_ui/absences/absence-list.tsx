import { Empty } from "@/app/_ui/bits";
import { SafeText } from "@/app/_ui/safe-text";
import type { AbsenceView } from "@/server/services/absences/absence-view";
import { EndAbsence } from "./absence-form";
import { AbsenceWords } from "./absence-words";

type Props = { absences: readonly AbsenceView[]; mayManage: boolean };

/** Who is out or will be, and who stands in. */
export function AbsenceList({ absences, mayManage }: Props) {
  if (absences.length === 0) return <Empty card>Nobody is out of office.</Empty>;
  return (
    <ul className="card divide-y divide-line" aria-label="Out of office">
      {absences.map((absence) => (
        <li key={absence.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
          <span className="grid min-w-0 flex-1 gap-0.5">
            <strong>
              <SafeText text={absence.member.name} oneLine />
            </strong>
            <span className="text-text2 wrap-anywhere">
              <AbsenceWords absence={absence} />
            </span>
            <span className="text-sm text-text3">
              Set by <SafeText text={absence.setBy.name} oneLine />
            </span>
          </span>
          {mayManage ? <EndAbsence id={absence.id} name={absence.member.name} /> : null}
        </li>
      ))}
    </ul>
  );
}
