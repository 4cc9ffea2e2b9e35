import { auditWords } from "@/app/_lib/audit-words";
import { At } from "@/app/_ui/clock";
import { FieldsList } from "@/app/_ui/fields-list";
import { SafeText } from "@/app/_ui/safe-text";
import type { TimelineEntry } from "@/server/services/requests/timeline";

/** What happened to one request, oldest first, from the audit log. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="grid gap-0">
      {entries.map((entry) => (
        <li key={entry.id} className="grid gap-1 border-l-2 border-line py-2 pl-4 last:border-transparent">
          <details>
            <summary>
              <span className="inline-flex flex-wrap items-baseline gap-x-3">
                <span className="text-sm text-text3">
                  <At time={new Date(entry.at)} />
                </span>
                <span>
                  <strong>
                    <SafeText text={entry.actor} oneLine />
                  </strong>{" "}
                  {auditWords(entry.type)}
                </span>
              </span>
            </summary>
            <FieldsList fields={entry.fields} />
          </details>
        </li>
      ))}
    </ol>
  );
}
