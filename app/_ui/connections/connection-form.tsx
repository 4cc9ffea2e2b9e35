"use client";

import { useState } from "react";
import { changeConnection, createConnection, setCredential } from "@/app/_ui/actions";
import { DoButton } from "@/app/_ui/do-button";
import { CheckField, ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { isOn, text } from "@/app/_ui/form/values";
import type { ConnectionView } from "@/server/services/connections/connection-view";
import { CredentialFields, credentialOf } from "./credential-fields";
import { SettingFields, settingsOf } from "./setting-fields";

const PROVIDERS = [
  { value: "smtp", label: "smtp: sends e-mail" },
  { value: "http", label: "http: calls HTTP services" },
];

export function CreateConnection() {
  const [provider, setProvider] = useState("smtp");
  const run = (fields: FormData) => {
    const credential = credentialOf(provider, fields);
    return createConnection({
      provider,
      name: text(fields, "name") ?? "",
      config: settingsOf(provider, fields),
      sensitive: isOn(fields, "sensitive"),
      ...(credential ? { credential } : {}),
    });
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-ink ml-auto">
          Create connection
        </button>
      }
      title="Create a connection"
      about="The credential is encrypted before it is stored, and no agent ever sees it. Nobody may use the connection until a grant says so."
      submit="Create connection"
      run={run}
      wide
    >
      <ChoiceField name="provider" label="Provider" choices={PROVIDERS} onChange={setProvider} />
      <TextField name="name" label="Name" maxLength={120} />
      <SettingFields key={provider} provider={provider} />
      <CredentialFields provider={provider} />
      <CheckField name="sensitive" label="Sensitive: what is read over it makes a session sensitive" />
    </FormDialog>
  );
}

export function EditConnection({ connection }: { connection: ConnectionView }) {
  const run = (fields: FormData) => {
    const credential = credentialOf(connection.provider, fields);
    return changeConnection(connection.id, {
      configVersion: connection.configVersion,
      name: text(fields, "name"),
      config: settingsOf(connection.provider, fields),
      sensitive: isOn(fields, "sensitive"),
      ...(credential ? { credential } : {}),
    });
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit
        </button>
      }
      title="Edit the connection"
      about="Other settings void what was approved before. A credential goes nowhere new unless it is given again."
      submit="Save connection"
      run={run}
      wide
    >
      <TextField name="name" label="Name" maxLength={120} defaultValue={connection.name} />
      <SettingFields provider={connection.provider} stored={connection.config} />
      <CredentialFields provider={connection.provider} />
      <CheckField
        name="sensitive"
        label="Sensitive: what is read over it makes a session sensitive"
        defaultChecked={connection.sensitive}
      />
    </FormDialog>
  );
}

export function SetCredential({ connection }: { connection: ConnectionView }) {
  const run = (fields: FormData) =>
    setCredential(connection.id, { credential: credentialOf(connection.provider, fields) ?? {} });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          {connection.credential ? "Rotate credential" : "Give credential"}
        </button>
      }
      title={connection.credential ? "Rotate the credential" : "Give a credential"}
      about="What waits for a person stays as it is, and runs with the new one."
      submit="Store credential"
      run={run}
    >
      <CredentialFields provider={connection.provider} />
    </FormDialog>
  );
}

export function SuspendConnection({ connection }: { connection: ConnectionView }) {
  const isActive = connection.status === "active";
  const status = isActive ? "suspended" : "active";
  const run = () => changeConnection(connection.id, { configVersion: connection.configVersion, status });
  return (
    <DoButton run={run} done={isActive ? "Suspended: every call over it is refused." : "Active again."}>
      {isActive ? "Suspend" : "Make active"}
    </DoButton>
  );
}
