"use client";

import { changeMember, inviteMember, linkMember } from "@/app/_ui/actions";
import { CheckField, ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { SecretOnce } from "@/app/_ui/form/secret-once";
import { isOn, text } from "@/app/_ui/form/values";
import type { Role } from "@/server/domain/roles";
import type { MemberView } from "@/server/services/identity/members/member-view";

const ABOUT = {
  owner: "everything, and lifts a stop",
  admin: "configures and decides",
  approver: "decides",
  member: "owns agents",
  auditor: "reads, without content",
} as const satisfies Record<Role, string>;
const CHOICES = Object.entries(ABOUT).map(([value, about]) => ({ value, label: `${value}: ${about}` }));

const LINK_NOTE = "Send this link to them. It opens once, within 24 hours, and lets them choose a password.";

const showLink = (value: unknown) => <SecretOnce secret={(value as { link: string }).link} note={LINK_NOTE} />;

export function InviteMember() {
  const run = (fields: FormData) =>
    inviteMember({
      email: text(fields, "email") ?? "",
      name: text(fields, "name") ?? "",
      role: text(fields, "role"),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-ink ml-auto">
          Invite member
        </button>
      }
      title="Invite a member"
      submit="Invite member"
      run={run}
      result={showLink}
    >
      <TextField name="name" label="Name" maxLength={100} autoComplete="off" />
      <TextField name="email" label="E-mail" type="email" inputMode="email" autoComplete="off" />
      <ChoiceField name="role" label="Role" choices={CHOICES} defaultValue="approver" />
    </FormDialog>
  );
}

export function EditMember({ member }: { member: MemberView }) {
  const run = (fields: FormData) =>
    changeMember(member.id, {
      version: member.version,
      name: text(fields, "name"),
      role: text(fields, "role"),
      isDisabled: isOn(fields, "isDisabled"),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit<span className="sr-only"> {member.name}</span>
        </button>
      }
      title="Edit the member"
      about="A role counts from the next call. Disabling ends every sign-in and token at once."
      submit="Save member"
      run={run}
    >
      <TextField name="name" label="Name" maxLength={100} defaultValue={member.name} />
      <ChoiceField name="role" label="Role" choices={CHOICES} defaultValue={member.role} />
      <CheckField name="isDisabled" label="Disabled: cannot sign in" defaultChecked={member.isDisabled} />
    </FormDialog>
  );
}

export function NewLink({ member }: { member: MemberView }) {
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          New link<span className="sr-only"> for {member.name}</span>
        </button>
      }
      title="Make a new link?"
      about="For somebody who lost the first one, or their password. Whoever holds it can take the account over."
      submit="Make link"
      run={() => linkMember(member.id)}
      result={showLink}
    >
      {null}
    </FormDialog>
  );
}
