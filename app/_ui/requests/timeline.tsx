import { auditWords } from "@/app/_lib/audit-words";
import { ActorName, type ActorRef } from "@/app/_ui/actor-name";
import { At } from "@/app/_ui/clock";
import { FieldsList } from "@/app/_ui/fields-list";

export type TimelineEntry = {
  id: string;
  type: string;
  at: Date;
  actor: ActorRef;
  fields: Readonly<Record<string, unknown>>;
};

/** What happened to one request, oldest first, from the audit log. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="grid gap-0">
      {entries.map((entry) => (
        <li key={entry.id} className="grid gap-1 border-l-2 border-line py-2 pl-4 last:border-transparent">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="text-sm text-text3">
              <At time={entry.at} />
            </span>
            <span>
              <ActorName actor={entry.actor} /> {auditWords(entry.type)}
            </span>
          </p>
          <details>
            <summary className="min-h-6 text-sm text-text3">Details</summary>
            <FieldsList fields={entry.fields} />
          </details>
        </li>
      ))}
    </ol>
  );
}
