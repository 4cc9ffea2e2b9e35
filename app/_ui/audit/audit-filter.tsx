import { auditWords } from "@/app/_lib/audit-words";
import { AUDIT_TYPES } from "@/server/domain/audit-types";

type Props = { who?: string | undefined; what?: string | undefined; people: readonly { id: string; name: string }[] };

const GROUPS = [...new Set(Object.keys(AUDIT_TYPES).map((type) => type.slice(0, type.indexOf("."))))];

/** A plain form that puts the filter into the address: it works without a script and can be sent to a colleague. */
export function AuditFilter({ who, what, people }: Props) {
  return (
    <form action="/audit" className="flex flex-wrap items-end gap-3">
      <label className="grid gap-1 text-sm">
        Who
        <select name="who" defaultValue={who ?? ""} className="input">
          <option value="">anybody</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1 text-sm">
        What
        <select name="what" defaultValue={what ?? ""} className="input">
          <option value="">anything</option>
          {GROUPS.map((group) => (
            <optgroup key={group} label={group.replace("_", " ")}>
              <option value={group}>all of {group.replace("_", " ")}</option>
              {Object.keys(AUDIT_TYPES)
                .filter((type) => type.startsWith(`${group}.`))
                .map((type) => (
                  <option key={type} value={type}>
                    {auditWords(type)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <button type="submit" className="btn">
        Filter
      </button>
    </form>
  );
}
