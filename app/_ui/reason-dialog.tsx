"use client";

import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import type { Outcome } from "./outcome";

type Props = {
  title: string;
  children: ReactNode;
  /** What the reason field is called; without it the dialog asks none. */
  reason?: { label: string; required: boolean; hint?: string };
  confirm: string;
  keep: string;
  tone?: "stop" | "ink";
  onConfirm: (reason: string) => Promise<Outcome>;
} & ({ trigger: ReactElement } | { open: boolean; onOpenChange: (open: boolean) => void });

/** Asks before something hard to take back, with what would happen and verbs on both buttons. */
export function ReasonDialog(props: Props) {
  const [ownOpen, setOwnOpen] = useState(false);
  const [open, setOpen] = "open" in props ? [props.open, props.onOpenChange] : [ownOpen, setOwnOpen];
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => setOpen(next)}>
      {"trigger" in props ? <AlertDialog.Trigger render={props.trigger} /> : null}
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="popup" {...(props.reason ? { initialFocus: field } : {})}>
          <ReasonForm {...props} field={field} close={() => setOpen(false)} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

type FormProps = Props & { field: React.RefObject<HTMLTextAreaElement | null>; close: () => void };

function ReasonForm({ title, children, reason, confirm, keep, tone = "ink", onConfirm, field, close }: FormProps) {
  const router = useRouter();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const text = field.current?.value.trim() ?? "";
    if (reason?.required && text === "") {
      setProblem("Write a reason: it goes into the record.");
      field.current?.focus();
      return;
    }
    setBusy(true);
    const outcome = await onConfirm(text);
    setBusy(false);
    if (outcome.ok) {
      router.refresh();
      close();
    } else setProblem(outcome.message);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-3" noValidate>
      <AlertDialog.Title className="text-md font-semibold">{title}</AlertDialog.Title>
      <AlertDialog.Description render={<div />} className="grid gap-2 text-text2">
        {children}
      </AlertDialog.Description>
      {reason ? <ReasonField reason={reason} field={field} problem={problem} /> : <Problem text={problem} />}
      <div className="flex flex-wrap justify-end gap-2">
        <AlertDialog.Close className="btn">{keep}</AlertDialog.Close>
        <button type="submit" className={`btn ${tone === "stop" ? "btn-stop-solid" : "btn-ink"}`} aria-disabled={busy}>
          {confirm}
        </button>
      </div>
    </form>
  );
}

type FieldProps = {
  reason: { label: string; required: boolean; hint?: string };
  field: React.RefObject<HTMLTextAreaElement | null>;
  problem: string;
};

function ReasonField({ reason, field, problem }: FieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {reason.label}
        {reason.required ? null : <span className="font-normal text-text3"> (can stay empty)</span>}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        maxLength={500}
        className="input"
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== ""}
      />
      {reason.hint ? <p className="text-sm text-text3">{reason.hint}</p> : null}
      <Problem id={`${id}-note`} text={problem} />
    </div>
  );
}

function Problem({ text, id }: { text: string; id?: string }) {
  return (
    <p id={id} role="alert" className="text-sm text-stop empty:hidden">
      {text}
    </p>
  );
}
