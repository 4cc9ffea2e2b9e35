import { Field } from "@base-ui/react/field";
import { useId, useState } from "react";
import { conditionOf, faultOf, partsOf, type RulePart, type RulePartKind } from "@/server/domain/rule-forms";
import { PartFields } from "./part-fields";
import { PART_NAMES } from "./part-words";
import { newPart } from "./templates";

type Props = { initial: string; actions: readonly string[] };

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const textOf = (parts: readonly RulePart[]): string =>
  parts.length === 0 || parts.some((part) => faultOf(part) !== null) ? "" : conditionOf(parts);

/**
 * A condition as questions and as the CEL that they write. Both are one rule: what is typed as CEL shows as questions
 * where a form could have written it, and as CEL alone where not.
 */
export function ConditionFields({ initial, actions }: Props) {
  const [text, setText] = useState(initial);
  const [parts, setParts] = useState<readonly RulePart[] | null>(() => partsOf(initial));
  const write = (next: readonly RulePart[]) => {
    setParts(next);
    setText(textOf(next));
  };
  const edit = (next: string) => {
    setText(next);
    setParts(partsOf(next));
  };
  return (
    <>
      {parts === null ? (
        <p className="text-sm text-text2">Written by hand: no form says the same, so it stands here as CEL.</p>
      ) : (
        <Parts parts={parts} actions={actions} write={write} />
      )}
      <Field.Root name="condition" className="grid gap-1">
        <Field.Label className="font-semibold">When</Field.Label>
        <Field.Control
          render={<textarea rows={4} spellCheck={false} />}
          className="input mono"
          maxLength={2000}
          value={text}
          onValueChange={(value) => edit(String(value))}
        />
        <Field.Description className="text-sm text-text3">
          In CEL, to read and to edit. It is type-checked when saved; a condition that fails while it runs denies.
        </Field.Description>
        <Field.Error className="text-sm text-stop" />
      </Field.Root>
    </>
  );
}

type PartsProps = {
  parts: readonly RulePart[];
  actions: readonly string[];
  write: (parts: readonly RulePart[]) => void;
};

function Parts({ parts, actions, write }: PartsProps) {
  return (
    <div className="grid gap-3">
      {parts.map((part) => {
        const fault = faultOf(part);
        const others = parts.filter((one) => one !== part);
        return (
          <fieldset key={part.kind} className="grid gap-2 rounded-md border border-line p-3">
            <legend className="px-1 font-semibold">{PART_NAMES[part.kind]}</legend>
            <PartFields
              part={part}
              actions={actions}
              onChange={(next) => write(parts.map((one) => (one === part ? next : one)))}
            />
            {fault === null ? null : (
              <p role="status" className="text-sm text-stop">
                {fault}
              </p>
            )}
            {others.length === 0 ? null : (
              <button type="button" className="btn justify-self-start" onClick={() => write(others)}>
                Take out: {PART_NAMES[part.kind].toLowerCase()}
              </button>
            )}
          </fieldset>
        );
      })}
      <AddPart parts={parts} write={write} />
    </div>
  );
}

/** Another question, which must be true as well. */
function AddPart({ parts, write }: Omit<PartsProps, "actions">) {
  const id = useId();
  const left = (Object.keys(PART_NAMES) as RulePartKind[]).filter((kind) => !parts.some((part) => part.kind === kind));
  if (left.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="text-sm font-semibold">
        And also
      </label>
      <select
        id={id}
        className="input w-auto"
        value=""
        onChange={(event) => write([...parts, newPart(event.currentTarget.value as RulePartKind, zone())])}
      >
        <option value="" disabled>
          add a question…
        </option>
        {left.map((kind) => (
          <option key={kind} value={kind}>
            {PART_NAMES[kind]}
          </option>
        ))}
      </select>
    </div>
  );
}
