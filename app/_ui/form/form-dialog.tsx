"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";
import type { Outcome } from "@/app/_ui/outcome";
import { ActionForm, type Failure } from "./action-form";

type Props = {
  trigger: ReactElement;
  title: string;
  about?: ReactNode;
  submit: string;
  run: (fields: FormData) => Promise<Outcome>;
  children: ReactNode | ((failure: Failure | undefined) => ReactNode);
  /** Shown in place of the form once it is done, such as a key that is shown once. */
  result?: (value: unknown) => ReactNode;
  wide?: boolean;
  /** Another way to use what the form holds, beside the submit button. */
  beside?: ReactNode;
};

/** Creates or changes one thing without leaving the page. */
export function FormDialog({ trigger, title, about, submit, run, children, result, wide = false, beside }: Props) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<{ value: unknown }>();
  const onDone = (value: unknown) => {
    router.refresh();
    if (result) setDone({ value });
    else setOpen(false);
  };
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    setDone(undefined);
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal>
      <Dialog.Trigger render={trigger} />
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={`popup grid gap-4${wide ? " popup-wide" : ""}`}>
          <Dialog.Title className="text-md font-semibold">{title}</Dialog.Title>
          {about ? <Dialog.Description className="text-text2">{about}</Dialog.Description> : null}
          {done && result ? (
            <>
              {result(done.value)}
              <Dialog.Close className="btn justify-self-end">Close</Dialog.Close>
            </>
          ) : (
            <ActionForm
              submit={submit}
              run={run}
              onDone={onDone}
              beside={
                <>
                  {beside}
                  <Dialog.Close className="btn">Cancel</Dialog.Close>
                </>
              }
            >
              {children}
            </ActionForm>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
