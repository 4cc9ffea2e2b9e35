import { Empty } from "@/app/_ui/bits";
import type { AbsenceView } from "@/server/services/absences/absence-view";
import { EndAbsence, SetAbsence } from "./absence-form";
import { AbsenceWords } from "./absence-words";

type Props = { absence: AbsenceView | null; candidates: readonly { id: string; name: string; role: string }[] };

/** Whether one is out, who stands in, and the way to say so or to come back. */
export function OwnAbsence({ absence, candidates }: Props) {
  if (absence !== null) {
    return (
      <div className="grid gap-3">
        <p className="notice notice-wait">
          You are <AbsenceWords absence={absence} />.
        </p>
        <div>
          <EndAbsence />
        </div>
      </div>
    );
  }
  if (candidates.length === 0) {
    return <Empty card>Nobody can stand in for you: you decide nothing, or nobody else may decide as much.</Empty>;
  }
  const delegates = candidates.map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }));
  return (
    <div className="grid gap-3">
      <p className="text-text2">You are here. Reminders go to you.</p>
      <div>
        <SetAbsence member={null} delegates={delegates} />
      </div>
    </div>
  );
}
