"use client";

import { TextField } from "@/app/_ui/form/fields";
import { text } from "@/app/_ui/form/values";

/** Asked for only to be stored. Nothing ever reads a secret back into a page. */
export function CredentialFields({ provider }: { provider: string }) {
  if (provider === "http") {
    return (
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="credential.name" label="Credential header" mono defaultValue="authorization" />
        <TextField name="credential.value" label="Its value" type="password" autoComplete="off" hint="Bearer …" />
      </div>
    );
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField name="credential.user" label="User" autoComplete="off" mono />
      <TextField name="credential.password" label="Password" type="password" autoComplete="new-password" />
    </div>
  );
}

/** The credential as the API takes it, or undefined where no secret was typed. */
export function credentialOf(provider: string, fields: FormData): Record<string, unknown> | undefined {
  if (provider === "http") {
    const value = text(fields, "credential.value");
    return value === undefined ? undefined : { kind: "header", name: text(fields, "credential.name") ?? "", value };
  }
  const password = text(fields, "credential.password");
  return password === undefined
    ? undefined
    : { kind: "password", user: text(fields, "credential.user") ?? "", password };
}
