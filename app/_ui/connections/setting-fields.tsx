"use client";

import { ChoiceField, LinesField, TextField } from "@/app/_ui/form/fields";
import { lines, text, whole } from "@/app/_ui/form/values";

const TLS = [
  { value: "starttls", label: "STARTTLS" },
  { value: "implicit", label: "TLS from the first byte" },
  { value: "none", label: "none: only for hosts the operator named" },
];

type Stored = Readonly<Record<string, unknown>>;

const shown = (stored: Stored | undefined, name: string, fresh = "") => {
  const value = stored?.[name];
  if (Array.isArray(value)) return value.map(String).join("\n");
  return typeof value === "string" || typeof value === "number" ? `${value}` : fresh;
};

/** A provider's settings. Names are those of the API, so that its complaints find their field. */
export function SettingFields({ provider, stored }: { provider: string; stored?: Stored }) {
  if (provider === "http") {
    return (
      <LinesField
        name="config.origins"
        label="Origins that get the credential"
        hint="https://api.example.com, one a line. Which hosts may be called is for grants to say."
        rows={2}
        mono
        defaultValue={shown(stored, "origins")}
      />
    );
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_6rem]">
        <TextField name="config.host" label="Host" mono defaultValue={shown(stored, "host")} />
        <TextField name="config.port" label="Port" inputMode="numeric" defaultValue={shown(stored, "port", "587")} />
      </div>
      <ChoiceField name="config.tls" label="Encryption" choices={TLS} defaultValue={shown(stored, "tls", "starttls")} />
      <TextField
        name="config.from"
        label="Sender address"
        inputMode="email"
        mono
        defaultValue={shown(stored, "from")}
      />
    </>
  );
}

/** The settings as the API takes them. */
export function settingsOf(provider: string, fields: FormData): Record<string, unknown> {
  if (provider === "http") return { origins: lines(fields, "config.origins") };
  return {
    host: text(fields, "config.host"),
    port: whole(fields, "config.port"),
    tls: text(fields, "config.tls"),
    from: text(fields, "config.from"),
  };
}
