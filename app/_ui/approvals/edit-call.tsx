"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { composeEdit, editedFields } from "@/app/_lib/edit-form";
import { Changes } from "@/app/_ui/exact/changes";
import { ActionForm } from "@/app/_ui/form/action-form";
import { useKey } from "@/app/_ui/keys";
import { useUnread } from "@/app/_ui/read-gate";
import type { Risk } from "@/server/domain/action";
import type { Change, Edits } from "@/server/domain/edit";
import type { JsonObject } from "@/server/domain/json";
import { EditFields } from "./edit-fields";
import { useMoving } from "./moving";
import { PasswordField } from "./proof-dialog";
import { useDecision } from "./use-decision";

type Props = { id: string; digest: string; risk: Risk; args: JsonObject; editable: Edits };

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

type ConfirmProps = Pick<Props, "id" | "digest" | "risk"> & {
  draft: JsonObject;
  changes: readonly Change[];
  back: () => void;
};

function Confirm({ id, digest, risk, draft, changes, back }: ConfirmProps) {
  const { edit } = useDecision({ id, digest });
  const { move } = useMoving();
  const [needsProof, setNeedsProof] = useState(risk === "high");
  const run = async (form: FormData) => {
    const password = form.get("password");
    const outcome = await edit(draft, typeof password === "string" ? { password } : {});
    if (outcome.ok) move(outcome.value.id);
    else if (outcome.code === "proof_required") setNeedsProof(true);
    return outcome;
  };
  return (
    <>
      <Dialog.Description className="text-text2">
        This is what you change. The rest runs as the agent asked for it.
      </Dialog.Description>
      <Changes changes={changes} />
      <ActionForm
        submit="Approve as edited"
        run={run}
        beside={
          <button type="button" className="btn" onClick={back}>
            Back
          </button>
        }
      >
        {needsProof ? <PasswordField /> : null}
      </ActionForm>
    </>
  );
}
