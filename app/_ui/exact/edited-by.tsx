import { Section } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { EditView } from "@/server/services/requests/edits";
import { Changes } from "./changes";

/** What approvers changed of what the agent asked for, oldest first; nothing where nobody did. */
export function EditedBy({ edits }: { edits: readonly EditView[] }) {
  if (edits.length === 0) return null;
  return (
    <Section title="Changed before approving" id="edits">
      <ol className="grid gap-3">
        {edits.map((edit) => (
          <li key={`${edit.by}${edit.at.getTime()}`} className="card grid gap-3 p-4">
            <p className="text-text2">
              By{" "}
              <strong className="text-text">
                <SafeText text={edit.by} oneLine />
              </strong>
              , <At time={edit.at} />
            </p>
            {edit.changes === null ? (
              <p className="text-text2">What was changed is not shown to you.</p>
            ) : (
              <Changes changes={edit.changes} />
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
