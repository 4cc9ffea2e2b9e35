import { CATEGORIES, type Category } from "@/server/domain/categories";
import { LABELS, type RulePart, TARGET_KINDS, type TargetKind } from "@/server/domain/rule-forms";
import { AmountFields } from "./amount-fields";
import { Check, Labelled } from "./part-inputs";
import { minutesOf, TARGET_NAMES, timeText, WEEKDAYS } from "./part-words";

type Change = (part: RulePart) => void;
type Of<K extends RulePart["kind"]> = { part: Extract<RulePart, { kind: K }>; onChange: Change };

/** The fields of one part of a condition. */
export function PartFields({
  part,
  actions,
  onChange,
}: {
  part: RulePart;
  actions: readonly string[];
  onChange: Change;
}) {
  switch (part.kind) {
    case "actions":
      return <ActionFields part={part} actions={actions} onChange={onChange} />;
    case "amount":
      return <AmountFields part={part} onChange={onChange} />;
    case "newTargets":
      return <NewTargetFields part={part} onChange={onChange} />;
    case "categories":
      return <CategoryFields part={part} onChange={onChange} />;
    case "outsideHours":
      return <HourFields part={part} onChange={onChange} />;
    case "labels":
      return <LabelFields part={part} onChange={onChange} />;
  }
}

/** The list with one item more or less, in the order in which they are offered. */
function toggled<T>(chosen: readonly T[], item: T, offered: readonly T[]): T[] {
  const next = chosen.includes(item) ? chosen.filter((one) => one !== item) : [...chosen, item];
  return [...next].sort((a, b) => offered.indexOf(a) - offered.indexOf(b));
}

/** Offers the actions that exist; one that the rule names and that is gone stays until it is taken out. */
function ActionFields({ part, actions, onChange }: Of<"actions"> & { actions: readonly string[] }) {
  const offered = [...new Set([...actions, ...part.actions])];
  return offered.map((action) => (
    <Check
      key={action}
      label={<code>{action}</code>}
      checked={part.actions.includes(action)}
      onChange={() => onChange({ ...part, actions: toggled(part.actions, action, offered) })}
    />
  ));
}

function NewTargetFields({ part, onChange }: Of<"newTargets">) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Labelled label="Which">
        <select
          className="input"
          value={part.of}
          onChange={(event) => onChange({ ...part, of: event.currentTarget.value as TargetKind })}
        >
          {(Object.keys(TARGET_KINDS) as TargetKind[]).map((kind) => (
            <option key={kind} value={kind}>
              {TARGET_NAMES[kind]}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="New to">
        <select
          className="input"
          value={part.to}
          onChange={(event) => onChange({ ...part, to: event.currentTarget.value as "agent" | "organization" })}
        >
          <option value="agent">this agent, over this connection</option>
          <option value="organization">the whole organization</option>
        </select>
      </Labelled>
    </div>
  );
}

function CategoryFields({ part, onChange }: Of<"categories">) {
  const offered = Object.keys(CATEGORIES) as Category[];
  return offered.map((category) => (
    <Check
      key={category}
      label={`${category.replaceAll("_", " ")}: ${CATEGORIES[category]}`}
      checked={part.categories.includes(category)}
      onChange={() => onChange({ ...part, categories: toggled(part.categories, category, offered) })}
    />
  ));
}

function LabelFields({ part, onChange }: Of<"labels">) {
  const offered = Object.keys(LABELS) as (keyof typeof LABELS)[];
  return offered.map((label) => (
    <Check
      key={label}
      label={`${label}: ${LABELS[label]}`}
      checked={part.labels.includes(label)}
      onChange={() => onChange({ ...part, labels: toggled(part.labels, label, offered) })}
    />
  ));
}

const DAYS = [1, 2, 3, 4, 5, 6, 0];

function HourFields({ part, onChange }: Of<"outsideHours">) {
  return (
    <>
      <div className="flex flex-wrap gap-x-4">
        {DAYS.map((day) => (
          <Check
            key={day}
            label={WEEKDAYS[day]}
            checked={part.weekdays.includes(day)}
            onChange={() => onChange({ ...part, weekdays: toggled(part.weekdays, day, DAYS) })}
          />
        ))}
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        <Labelled label="From">
          <input
            className="input"
            type="time"
            defaultValue={timeText(part.from)}
            onChange={(event) => onChange({ ...part, from: minutesOf(event.currentTarget.value) })}
          />
        </Labelled>
        <Labelled label="Until">
          <input
            className="input"
            type="time"
            defaultValue={timeText(part.until)}
            onChange={(event) => onChange({ ...part, until: minutesOf(event.currentTarget.value) })}
          />
        </Labelled>
        <Labelled label="Time zone">
          <input
            className="input"
            defaultValue={part.zone}
            maxLength={60}
            spellCheck={false}
            onChange={(event) => onChange({ ...part, zone: event.currentTarget.value.trim() })}
          />
        </Labelled>
      </div>
    </>
  );
}
