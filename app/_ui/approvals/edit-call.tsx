"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { composeEdit, editedFields } from "@/app/_lib/edit-form";
import { Changes } from "@/app/_ui/exact/changes";
import { useKey } from "@/app/_ui/keys";
import { useUnread } from "@/app/_ui/read-gate";
import type { Change, Edits } from "@/server/domain/edit";
import type { JsonObject } from "@/server/domain/json";
import { EditFields } from "./edit-fields";
import { useMoving } from "./moving";
import { useDecision } from "./use-decision";

type Props = { id: string; digest: string; args: JsonObject; editable: Edits };

/** Changes a call as far as its action allows, shows what that changes, and approves exactly this. */
export function EditCall(props: Props) {
  const [open, setOpen] = useState(false);
  const unread = useUnread();
  const start = () => {
    if (unread.count > 0) unread.goToFirst();
    else setOpen(true);
  };
  useKey("e", "Edit and approve", start);
  return (
    <>
      <button type="button" className="btn" onClick={start}>
        <Pencil size={16} strokeWidth={1.75} aria-hidden />
        Edit and approve
        <kbd className="key" aria-hidden>
          e
        </kbd>
      </button>
      <Dialog.Root open={open} onOpenChange={(next) => setOpen(next)} disablePointerDismissal>
        <Dialog.Portal>
          <Dialog.Backdrop className="backdrop" />
          <Dialog.Popup className="popup popup-wide grid gap-4">
            <Dialog.Title className="text-md font-semibold">Edit and approve</Dialog.Title>
            <Steps {...props} close={() => setOpen(false)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}

type StepsProps = Props & { close: () => void };

/** First the fields, then what they change: nothing is approved that was not on screen as it will run. */
function Steps({ args, editable, close, ...shown }: StepsProps) {
  const [draft, setDraft] = useState(args);
  const [changes, setChanges] = useState<readonly Change[]>();
  const [problem, setProblem] = useState("");
  const compare = (form: FormData) => {
    const next = composeEdit(args, editable, form);
    const found = editedFields(args, next);
    setDraft(next);
    setProblem(found.length === 0 ? "Nothing is changed yet." : "");
    setChanges(found.length === 0 ? undefined : found);
  };
  if (changes) return <Confirm {...shown} draft={draft} changes={changes} back={() => setChanges(undefined)} />;
  return (
    <form
      className="grid gap-4"
      noValidate
      onChange={() => setProblem("")}
      onSubmit={(event) => {
        event.preventDefault();
        compare(new FormData(event.currentTarget));
      }}
    >
      <Dialog.Description className="text-text2">
        The agent, its owner and everybody who decides after you see what you changed.
      </Dialog.Description>
      <EditFields args={args} draft={draft} editable={editable} />
      <p role="alert" className="text-sm text-stop empty:hidden">
        {problem}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn" onClick={close}>
          Cancel
        </button>
        <button type="submit" className="btn btn-ink">
          Show what changes
        </button>
      </div>
    </form>
  );
}

type ConfirmProps = {
  id: string;
  digest: string;
  draft: JsonObject;
  changes: readonly Change[];
  back: () => void;
};

function Confirm({ id, digest, draft, changes, back }: ConfirmProps) {
  const { edit, isBusy } = useDecision({ id, digest });
  const { move } = useMoving();
  const [problem, setProblem] = useState("");
  const approve = async () => {
    const outcome = await edit(draft);
    if (outcome.ok) move(outcome.value.id);
    else setProblem(`Not approved: ${outcome.message}`);
  };
  return (
    <div className="grid gap-4">
      <Dialog.Description className="text-text2">
        This is what you change. The rest runs as the agent asked for it.
      </Dialog.Description>
      <Changes changes={changes} />
      <p role="alert" className="text-sm text-stop empty:hidden">
        {problem}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn" onClick={back}>
          Back
        </button>
        <button type="button" className="btn btn-ink" aria-disabled={isBusy} onClick={() => void approve()}>
          Approve as edited
        </button>
      </div>
    </div>
  );
}
