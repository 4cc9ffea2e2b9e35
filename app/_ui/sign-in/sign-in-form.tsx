"use client";

import { ActionForm } from "@/app/_ui/form/action-form";
import { TextField } from "@/app/_ui/form/fields";
import { text } from "@/app/_ui/form/values";
import { signIn } from "./session";

/** Whole-page navigation after it, so that nothing of the page before sign-in stays. */
export function SignInForm({ to }: { to: string }) {
  return (
    <ActionForm
      submit="Sign in"
      run={(fields) => signIn(text(fields, "email") ?? "", text(fields, "password") ?? "")}
      onDone={() => location.assign(to)}
    >
      <TextField name="email" label="E-mail" type="email" inputMode="email" autoComplete="username" />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
    </ActionForm>
  );
}
