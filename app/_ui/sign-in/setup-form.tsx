"use client";

import { useEffect, useState } from "react";
import { ActionForm } from "@/app/_ui/form/action-form";
import { TextField } from "@/app/_ui/form/fields";
import { text } from "@/app/_ui/form/values";
import { post, signIn } from "./session";

/** The key stands behind the #, which the browser sends to nobody; it is taken out of the address at once. */
function useLinkKey(): string | undefined {
  const [key, setKey] = useState<string>();
  useEffect(() => {
    setKey((known) => known ?? location.hash.slice(1));
    history.replaceState(history.state, "", location.pathname);
  }, []);
  return key;
}

/** Makes the organization and its first owner, and signs them in. */
export function SetupForm() {
  const token = useLinkKey();
  if (token === "") return <NoKey />;
  const run = async (fields: FormData) => {
    const email = text(fields, "email") ?? "";
    const password = text(fields, "password") ?? "";
    const organizationName = text(fields, "organizationName") ?? "";
    const outcome = await post("/api/setup", {
      token: token ?? "",
      organizationName,
      name: text(fields, "name") ?? "",
      email,
      password,
    });
    return outcome.ok ? signIn(email, password) : outcome;
  };
  return (
    <ActionForm submit="Create organization" run={run} onDone={() => location.assign("/")}>
      <TextField name="organizationName" label="Organization" maxLength={100} autoComplete="organization" />
      <TextField name="name" label="Your name" maxLength={100} autoComplete="name" />
      <TextField name="email" label="Your e-mail" type="email" inputMode="email" autoComplete="username" />
      <NewPassword />
    </ActionForm>
  );
}

/** Chooses a password for somebody who was invited, and signs them in. */
export function InvitationForm() {
  const token = useLinkKey();
  if (token === "") return <NoKey />;
  const run = async (fields: FormData) => {
    const password = text(fields, "password") ?? "";
    const outcome = await post<{ email: string }>("/api/invitation", { token: token ?? "", password });
    return outcome.ok ? signIn(outcome.value.email, password) : outcome;
  };
  return (
    <ActionForm submit="Set password" run={run} onDone={() => location.assign("/")}>
      <NewPassword />
    </ActionForm>
  );
}

function NewPassword() {
  return <TextField name="password" label="Password" type="password" autoComplete="new-password" />;
}

function NoKey() {
  return <p className="notice notice-wait">This address lacks its key. Open the whole link, as it was given to you.</p>;
}
