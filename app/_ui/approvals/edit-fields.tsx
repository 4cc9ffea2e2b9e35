import { leftOutName } from "@/app/_lib/edit-form";
import { CheckField, CheckGroup, LinesField, TextField } from "@/app/_ui/form/fields";
import { SafeText } from "@/app/_ui/safe-text";
import type { EditKind, Edits } from "@/server/domain/edit";
import type { JsonObject, JsonValue } from "@/server/domain/json";

type Props = { args: JsonObject; draft: JsonObject; editable: Edits };

/** One field for each argument that may be changed, with what it holds now. */
export function EditFields({ args, draft, editable }: Props) {
  return Object.entries(args).map(([field, before]) => {
    const kind = Object.hasOwn(editable, field) ? editable[field] : undefined;
    return kind === undefined ? null : (
      <EditField key={field} field={field} kind={kind} before={before} now={draft[field]} />
    );
  });
}

type FieldProps = { field: string; kind: EditKind; before: JsonValue; now: JsonValue | undefined };

function EditField({ field, kind, before, now }: FieldProps) {
  switch (kind) {
    case "text":
      return <TextArea field={field} text={textOf(now ?? before)} />;
    case "optional_text":
      return (
        <div className="grid gap-1">
          <TextArea field={field} text={textOf(now ?? before)} />
          <CheckField name={leftOutName(field)} label={`Leave the ${field} out`} defaultChecked={now === undefined} />
        </div>
      );
    case "drop":
      return <Entries field={field} before={before} now={now} />;
    case "lower":
      return (
        <TextField
          name={field}
          label={wordOf(field)}
          inputMode="decimal"
          hint={`It can only go down, from ${textOf(before)}.`}
          defaultValue={textOf(now ?? before)}
        />
      );
  }
}

const MAX_ROWS = 12;
const LETTERS_A_ROW = 60;

function TextArea({ field, text }: { field: string; text: string }) {
  const needed = text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / LETTERS_A_ROW), 0);
  const rows = Math.min(MAX_ROWS, needed);
  return <LinesField name={field} label={wordOf(field)} rows={rows} defaultValue={text} />;
}

/** Entries can only go: a box each, ticked for those that stay. */
function Entries({ field, before, now }: { field: string; before: JsonValue; now: JsonValue | undefined }) {
  if (!Array.isArray(before)) return null;
  const kept = keptOf(before, Array.isArray(now) ? now : []);
  return (
    <CheckGroup legend={`${wordOf(field)}: untick who is left out`}>
      {before.map((entry, index) => (
        <label
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is what was asked for and never changes.
          key={index}
          className="flex min-h-8 min-w-0 items-center gap-2 coarse:min-h-11"
        >
          <input
            type="checkbox"
            name={field}
            value={index}
            defaultChecked={kept.has(index)}
            className="size-4 shrink-0 accent-ink"
          />
          <SafeText text={textOf(entry)} oneLine />
        </label>
      ))}
    </CheckGroup>
  );
}

/** The places of those entries that an edited list still has. */
function keptOf(before: readonly JsonValue[], now: readonly JsonValue[]): ReadonlySet<number> {
  const kept = new Set<number>();
  before.forEach((entry, index) => {
    if (JSON.stringify(entry) === JSON.stringify(now[kept.size])) kept.add(index);
  });
  return kept;
}

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

const wordOf = (field: string): string =>
  field === "html" ? "HTML" : field.replace(/^./, (first) => first.toUpperCase());
