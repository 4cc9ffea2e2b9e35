import { keyed } from "@/app/_lib/keyed";
import { SafeText } from "./safe-text";

/** Names and short values of a record entry, on one line each. */
export function FieldsList({ fields }: { fields: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
      {keyed(entries).map(({ key, item: [name, value] }) => (
        <div key={key} className="flex min-w-0 gap-1.5">
          <dt className="text-text3">{name}</dt>
          <dd className="min-w-0">
            <SafeText text={textOf(value)} oneLine mono />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "string" ? value : String(value);
}
