"use client";

import { Form } from "@base-ui/react/form";
import { type FormEvent, type ReactNode, useState } from "react";
import { complaintWords } from "@/app/_lib/complaint";
import type { Outcome } from "@/app/_ui/outcome";

export type Failure = Extract<Outcome, { ok: false }>;

type Props = {
  children: ReactNode | ((failure: Failure | undefined) => ReactNode);
  submit: string;
  run: (fields: FormData) => Promise<Outcome>;
  onDone?: (value: unknown) => void;
  /** A way out beside the submit button. */
  beside?: ReactNode;
};

/** A form whose faults appear at their field, in the server's words, with everything typed kept. */
export function ActionForm({ children, submit, run, onDone, beside }: Props) {
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setKnown(fieldNames(form));
    setBusy(true);
    const outcome = await run(new FormData(form));
    setBusy(false);
    setFailure(outcome.ok ? undefined : outcome);
    if (outcome.ok) onDone?.(outcome.value);
    else focusField(form, outcome.field);
  };
  const atField = failure?.field !== undefined && known.has(failure.field) ? failure.field : undefined;
  return (
    <Form
      className="grid gap-4"
      errors={atField && failure ? { [atField]: complaintWords(atField, failure.message) } : {}}
      onSubmit={(event) => void onSubmit(event)}
      noValidate
    >
      {typeof children === "function" ? children(failure) : children}
      <p role="alert" className="notice notice-stop empty:hidden">
        {failure && atField === undefined ? failure.message : null}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {beside}
        <button type="submit" className="btn btn-ink" aria-disabled={busy}>
          {submit}
        </button>
      </div>
    </Form>
  );
}

/** What is complained of may be far up a long form. */
function focusField(form: HTMLFormElement, name: string | undefined): void {
  const field = name === undefined ? null : form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

function fieldNames(form: HTMLFormElement): ReadonlySet<string> {
  return new Set([...form.elements].map((element) => element.getAttribute("name") ?? ""));
}
