"use client";

import { useState } from "react";
import { changeRule, createRule } from "@/app/_ui/actions";
import type { Failure } from "@/app/_ui/form/action-form";
import { ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text, whole } from "@/app/_ui/form/values";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import { conditionOf } from "@/server/domain/rule-forms";
import type { RuleView } from "@/server/services/rules/rule-view";
import { ConditionFields } from "./condition-fields";
import { FaultPlace } from "./fault-place";
import type { RuleWord, RuleWords } from "./rule-words";
import { newPart, TEMPLATES, type Template } from "./templates";
import { TryRule } from "./try-rule";

const VERDICTS = [
  { value: "approval", label: "asks a person" },
  { value: "deny", label: "denies" },
];
const ROLES = ["approver", "admin", "owner"].map((value) => ({ value, label: `${value} or above` }));
const IF_QUICK = [
  { value: "counted", label: "it counts" },
  { value: "second", label: "a second person has to" },
];
const MODES = [
  { value: "enforced", label: "enforced" },
  { value: "shadow", label: "in shadow: recorded, not enforced" },
];
const STARTS = Object.entries(TEMPLATES).map(([value, { label }]) => ({ value, label }));
const PEOPLE = [
  { value: "1", label: "1 person" },
  { value: "2", label: "2 different people" },
];

/** Who must answer means nothing on a denial, and the API refuses it there. */
function ruleOf(fields: FormData) {
  const verdict = text(fields, "verdict") ?? "approval";
  const common = { name: text(fields, "name") ?? "", verdict, condition: text(fields, "condition") ?? "" };
  const reason = text(fields, "reason");
  const asked = {
    requiredRole: text(fields, "requiredRole"),
    people: whole(fields, "people"),
    expiresMinutes: whole(fields, "expiresMinutes"),
    secondIfQuick: text(fields, "secondIfQuick") === "second",
  };
  return {
    ...common,
    isShadow: text(fields, "mode") === "shadow",
    ...(verdict === "approval" ? asked : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The same to be tried: a draft needs no name yet, and no reason. */
function draftOf(fields: FormData) {
  const { reason: _reason, ...rule } = { reason: undefined, ...ruleOf(fields) };
  return { ...rule, name: rule.name === "" ? "This draft" : rule.name };
}

export function CreateRule({ words }: { words: RuleWords }) {
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-ink ml-auto">
          Create rule
        </button>
      }
      title="Create a rule"
      about="A rule adds to the floor and never takes from it. It is in force from the moment it is saved."
      submit="Create rule"
      run={(fields) => createRule(ruleOf(fields))}
      beside={<TryRule draftOf={draftOf} />}
      wide
    >
      {(failure) => <RuleFields words={words} failure={failure} />}
    </FormDialog>
  );
}

export function EditRule({ rule, words }: { rule: RuleView; words: RuleWords }) {
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit
        </button>
      }
      title="Edit the rule"
      about="Saving makes a new version of all rules. What waits is checked again by it before it runs."
      submit="Save rule"
      run={(fields) => changeRule(rule.id, { version: rule.version, ...ruleOf(fields) })}
      beside={<TryRule draftOf={(fields) => ({ ...draftOf(fields), id: rule.id })} />}
      wide
    >
      {(failure) => <RuleFields words={words} failure={failure} rule={rule} />}
    </FormDialog>
  );
}

/** A switch changes the rules as an edit does, so it asks why as well. */
export function SwitchRule({ rule }: { rule: RuleView }) {
  const verb = rule.enabled ? "Switch off" : "Switch on";
  const change = (reason: string) =>
    changeRule(rule.id, { version: rule.version, enabled: !rule.enabled, reason: reason.trim() });
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          {verb}…
        </button>
      }
      title={rule.enabled ? "Switch the rule off?" : "Switch the rule on?"}
      confirm={verb}
      keep={rule.enabled ? "Keep it on" : "Keep it off"}
      reason={{ label: "Why, for the record", required: true }}
      onConfirm={change}
    >
      <p>Saving makes a new version of all rules. What waits is checked again by it before it runs.</p>
    </ReasonDialog>
  );
}

type FieldsProps = { words: RuleWords; failure: Failure | undefined; rule?: RuleView };

/** What a new rule begins with; another choice starts the form anew. */
type Start = Pick<RuleView, "verdict" | "requiredRole" | "people" | "condition">;

const startOf = ({ parts, verdict, requiredRole, people }: Template): Start => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { verdict, requiredRole, people, condition: conditionOf(parts.map((kind) => newPart(kind, zone))) };
};

function RuleFields({ words, failure, rule }: FieldsProps) {
  const [name, setName] = useState("recipients");
  const template = TEMPLATES[name];
  const start: Start | undefined = rule ?? (template && startOf(template));
  return (
    <>
      <TextField name="name" label="Name" maxLength={120} {...(rule ? { defaultValue: rule.name } : {})} />
      {rule ? null : (
        <ChoiceField name="template" label="Start from" choices={STARTS} defaultValue={name} onChange={setName} />
      )}
      {start ? <Started key={name} start={start} words={words} failure={failure} {...(rule ? { rule } : {})} /> : null}
      <ChoiceField
        name="mode"
        label="How it counts"
        choices={MODES}
        defaultValue={rule?.isShadow ? "shadow" : "enforced"}
      />
      <TextField name="reason" label="Why, for the record" required maxLength={500} />
    </>
  );
}

function Started({ start, words, failure, rule }: FieldsProps & { start: Start }) {
  const [verdict, setVerdict] = useState<string>(start.verdict);
  return (
    <>
      <ChoiceField
        name="verdict"
        label="What it does"
        choices={VERDICTS}
        defaultValue={verdict}
        onChange={setVerdict}
      />
      <ConditionFields initial={start.condition} actions={words.actions} />
      {failure?.place ? <FaultPlace place={failure.place} /> : null}
      <WordList words={words.words} />
      {verdict === "approval" ? <AskFields start={start} {...(rule ? { rule } : {})} /> : null}
    </>
  );
}

function AskFields({ start, rule }: { start: Start; rule?: RuleView }) {
  const minutes = rule?.expiresMinutes;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <ChoiceField name="requiredRole" label="Who" choices={ROLES} defaultValue={start.requiredRole ?? "approver"} />
      <ChoiceField name="people" label="How many" choices={PEOPLE} defaultValue={String(start.people)} />
      <TextField
        name="expiresMinutes"
        label="Within minutes"
        hint="0: it never expires."
        inputMode="numeric"
        {...(minutes === null || minutes === undefined ? {} : { defaultValue: String(minutes) })}
      />
      <ChoiceField
        name="secondIfQuick"
        label="If approved faster than it can be read"
        choices={IF_QUICK}
        defaultValue={rule?.secondIfQuick ? "second" : "counted"}
      />
    </div>
  );
}

function WordList({ words }: { words: readonly RuleWord[] }) {
  return (
    <details>
      <summary className="min-h-6 text-sm text-text2">Words a condition can use</summary>
      <dl className="mt-2 grid gap-1 text-sm">
        {words.map((word) => (
          <div key={word.name} className="flex flex-wrap gap-x-2">
            <dt>
              <code>{word.name}</code>
            </dt>
            <dd className="text-text3">
              {word.type}
              {word.about ? `: ${word.about}` : ""}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
