"use client";

import { changePassword, refuse } from "@/app/_ui/actions";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";

export function ChangePassword() {
  const run = (fields: FormData) => {
    const newPassword = text(fields, "newPassword") ?? "";
    if (newPassword !== text(fields, "again")) return refuse("again", "The two new passwords differ.");
    return changePassword({ currentPassword: text(fields, "currentPassword") ?? "", newPassword });
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Change password
        </button>
      }
      title="Change your password"
      about="All your other sign-ins end. Your tokens stay."
      submit="Change password"
      run={run}
    >
      <TextField name="currentPassword" label="Present password" type="password" autoComplete="current-password" />
      <TextField name="newPassword" label="New password" type="password" autoComplete="new-password" />
      <TextField name="again" label="New password again" type="password" autoComplete="new-password" />
    </FormDialog>
  );
}
