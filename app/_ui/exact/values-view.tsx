import { keyed } from "@/app/_lib/keyed";
import { ReadPart } from "@/app/_ui/read-part";
import { SafeText } from "@/app/_ui/safe-text";
import { TextBlock } from "./text-block";

/** Any value as labels and values, so that nobody has to read JSON. Kinds of nothing are told apart. */
export function ValueView({ value, label }: { value: unknown; label: string }) {
  if (value === null) return <i className="text-text3">null</i>;
  if (typeof value === "string") return <TextBlock text={value} label={label} />;
  if (typeof value === "number") return <span className="mono">{String(value)}</span>;
  if (typeof value === "boolean") return <span className="mono">{value ? "true" : "false"}</span>;
  if (Array.isArray(value)) return <ListView values={value} label={label} />;
  if (typeof value === "object") return <RecordView fields={Object.entries(value)} label={label} />;
  return <i className="text-stop">a value of an unknown kind</i>;
}

function ListView({ values, label }: { values: readonly unknown[]; label: string }) {
  if (values.length === 0) return <i className="text-text3">empty list</i>;
  return (
    <ol className="grid min-w-0 gap-1">
      {keyed(values).map(({ key, item: value }, index) => (
        <li key={key} className="flex min-w-0 gap-2">
          <span className="mono text-text3">{index + 1}</span>
          <div className="min-w-0 flex-1">
            <ValueView value={value} label={`${label} ${index + 1}`} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function RecordView({ fields, label }: { fields: readonly (readonly [string, unknown])[]; label: string }) {
  if (fields.length === 0) return <i className="text-text3">empty record</i>;
  return (
    <dl className="grid min-w-0 gap-1.5 border-l border-line pl-3">
      {fields.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-text3">
            <SafeText text={name} oneLine mono />
          </dt>
          <dd className="min-w-0">
            <ValueView value={value} label={`${label} ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The arguments of any action, each a part of its own. */
export function ArgumentsList({ fields }: { fields: readonly (readonly [string, unknown])[] }) {
  if (fields.length === 0) return <p className="text-text3">No arguments.</p>;
  return (
    <div className="grid gap-3">
      {fields.map(([name, value]) => (
        <ReadPart key={name} label={name}>
          <dl className="facts">
            <dt>
              <SafeText text={name} oneLine mono />
            </dt>
            <dd>
              <ValueView value={value} label={name} />
            </dd>
          </dl>
        </ReadPart>
      ))}
    </div>
  );
}
