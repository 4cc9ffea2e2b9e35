"use client";

import { Field } from "@base-ui/react/field";
import type { HTMLInputTypeAttribute, ReactNode } from "react";

type Common = { name: string; label: string; hint?: ReactNode; defaultValue?: string };

type TextProps = Common & {
  type?: HTMLInputTypeAttribute;
  required?: boolean;
  autoComplete?: string;
  maxLength?: number;
  inputMode?: "decimal" | "numeric" | "email";
  mono?: boolean;
};

export function TextField({ name, label, hint, mono = false, ...input }: TextProps) {
  return (
    <Row name={name} label={label} hint={hint}>
      <Field.Control className={`input${mono ? " mono" : ""}`} {...input} />
    </Row>
  );
}

type LinesProps = Common & { rows?: number; mono?: boolean; maxLength?: number; required?: boolean };

export function LinesField({ name, label, hint, rows = 3, mono = false, ...input }: LinesProps) {
  return (
    <Row name={name} label={label} hint={hint}>
      <Field.Control
        render={<textarea rows={rows} spellCheck={!mono} />}
        className={`input${mono ? " mono" : ""}`}
        {...input}
      />
    </Row>
  );
}

export type Choice = { value: string; label: string };

type ChoiceProps = Common & { choices: readonly Choice[]; onChange?: (value: string) => void };

/** The platform's own select: on a phone nothing is better. */
export function ChoiceField({ name, label, hint, choices, defaultValue, onChange }: ChoiceProps) {
  return (
    <Row name={name} label={label} hint={hint}>
      <Field.Control
        render={
          <select onChange={(event) => onChange?.(event.currentTarget.value)}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        }
        className="input"
        {...(defaultValue === undefined ? {} : { defaultValue })}
      />
    </Row>
  );
}

type CheckProps = { name: string; label: string; value?: string; defaultChecked?: boolean };

export function CheckField({ name, label, value = "on", defaultChecked = false }: CheckProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 coarse:min-h-11">
      <input type="checkbox" name={name} value={value} defaultChecked={defaultChecked} className="size-4 accent-ink" />
      {label}
    </label>
  );
}

export function CheckGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {children}
    </fieldset>
  );
}

type RowProps = { name: string; label: string; hint: ReactNode; children: ReactNode };

function Row({ name, label, hint, children }: RowProps) {
  return (
    <Field.Root name={name} className="grid gap-1">
      <Field.Label className="font-semibold">{label}</Field.Label>
      {children}
      {hint ? <Field.Description className="text-sm text-text3">{hint}</Field.Description> : null}
      <Field.Error className="text-sm text-stop" />
    </Field.Root>
  );
}
