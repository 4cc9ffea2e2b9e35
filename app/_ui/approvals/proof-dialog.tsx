import { Dialog } from "@base-ui/react/dialog";
import { ActionForm } from "@/app/_ui/form/action-form";
import { TextField } from "@/app/_ui/form/fields";
import { text } from "@/app/_ui/form/values";
import type { Outcome } from "@/app/_ui/outcome";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  act: string;
  approve: (password: string) => Promise<Outcome>;
};

/** High risk is approved by who types their password now, not by whoever sits at an open browser. */
export function ProofDialog({ open, onOpenChange, act, approve }: Props) {
  const run = (fields: FormData) => approve(text(fields, "password") ?? "");
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="popup grid gap-4">
          <Dialog.Title className="text-md font-semibold">Approve high risk?</Dialog.Title>
          <Dialog.Description className="text-text2">
            You approve to {act}. Type your password to show that it is you.
          </Dialog.Description>
          <ActionForm
            submit="Approve"
            run={run}
            onDone={() => onOpenChange(false)}
            beside={<Dialog.Close className="btn">Keep waiting</Dialog.Close>}
          >
            <PasswordField />
          </ActionForm>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export const PasswordField = () => (
  <TextField name="password" label="Your password" type="password" autoComplete="current-password" />
);
