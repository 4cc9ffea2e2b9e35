"use client";

import { useState } from "react";
import { ACTIONS_OF, ALLOW_FIELDS, allowFieldName, allowText, readAllow } from "@/app/_lib/allow-fields";
import { changeGrant, createGrant, revokeGrant } from "@/app/_ui/actions";
import { CheckField, CheckGroup, ChoiceField, LinesField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { chosen, lines, text, whole } from "@/app/_ui/form/values";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import type { Risk } from "@/server/domain/action";
import type { GrantView } from "@/server/services/grants/grant-view";

export type ConnectionChoice = { id: string; name: string; provider: string };

const RISKS: readonly Risk[] = ["low", "medium", "high"];
const RISK_CHOICES = RISKS.map((value) => ({ value, label: value }));
const ACCESS_CHOICES = [
  { value: "read", label: "read: effects are refused" },
  { value: "write", label: "write: ends after 30 days unless you say otherwise" },
];

/** The terms that both forms share, as the API takes them. */
function termsOf(fields: FormData) {
  const actions = chosen(fields, "actions");
  const read = { texts: (name: string) => lines(fields, name), number: (name: string) => whole(fields, name) };
  const until = text(fields, "expiresAt");
  return {
    actions,
    access: text(fields, "access"),
    maxRisk: text(fields, "maxRisk"),
    allow: Object.fromEntries(actions.map((action) => [action, readAllow(action, read)])),
    perMinute: whole(fields, "perMinute"),
    perHour: whole(fields, "perHour"),
    perDay: whole(fields, "perDay"),
    ...(until === undefined ? {} : { expiresAt: `${until}T23:59:59Z` }),
  };
}

export function CreateGrant({ agentId, connections }: { agentId: string; connections: readonly ConnectionChoice[] }) {
  const [connectionId, setConnectionId] = useState(connections[0]?.id ?? "");
  const provider = connections.find(({ id }) => id === connectionId)?.provider ?? "";
  const choices = connections.map(({ id, name, provider: kind }) => ({ value: id, label: `${name} (${kind})` }));
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Grant access
        </button>
      }
      title="Grant access to a connection"
      about="The agent may do what is listed here, and nothing else. An empty list allows nothing."
      submit="Grant access"
      run={(fields) => createGrant({ agentId, connectionId: text(fields, "connectionId") ?? "", ...termsOf(fields) })}
      wide
    >
      <ChoiceField name="connectionId" label="Connection" choices={choices} onChange={setConnectionId} />
      <TermFields key={provider} provider={provider} />
    </FormDialog>
  );
}

export function EditGrant({ grant }: { grant: GrantView }) {
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit
        </button>
      }
      title="Edit the grant"
      about="What already waits was decided under the old terms. It is checked again before it runs."
      submit="Save grant"
      run={(fields) => changeGrant(grant.id, { version: grant.version, ...termsOf(fields) })}
      wide
    >
      <TermFields provider={grant.provider} grant={grant} />
    </FormDialog>
  );
}

function TermFields({ provider, grant }: { provider: string; grant?: GrantView }) {
  const actions = ACTIONS_OF[provider] ?? [];
  return (
    <>
      <CheckGroup legend="Actions">
        {actions.map((action) => (
          <CheckField
            key={action}
            name="actions"
            value={action}
            label={action}
            defaultChecked={grant ? grant.actions.includes(action) : true}
          />
        ))}
      </CheckGroup>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField name="access" label="Access" choices={ACCESS_CHOICES} defaultValue={grant?.access ?? "read"} />
        <ChoiceField
          name="maxRisk"
          label="Highest risk"
          choices={RISK_CHOICES}
          defaultValue={grant?.maxRisk ?? "low"}
        />
      </div>
      {actions.map((action) => (
        <AllowFields key={action} action={action} stored={grant?.allow[action]} />
      ))}
      <Limits {...(grant ? { grant } : {})} />
    </>
  );
}

function AllowFields({ action, stored }: { action: string; stored: Readonly<Record<string, unknown>> | undefined }) {
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">
        Only where, for <code>{action}</code>
      </legend>
      {(ALLOW_FIELDS[action] ?? []).map((field) => {
        const initial = stored ? allowText(stored[field.name]) : field.initial;
        const common = {
          name: allowFieldName(action, field.name),
          label: field.label,
          hint: field.hint,
          ...(initial === undefined ? {} : { defaultValue: initial }),
        };
        return field.kind === "number" ? (
          <TextField key={field.name} inputMode="numeric" {...common} />
        ) : (
          <LinesField key={field.name} rows={2} mono {...common} />
        );
      })}
    </fieldset>
  );
}

function Limits({ grant }: { grant?: GrantView }) {
  const shown = (value: number | null | undefined, fresh: string) => (grant ? String(value ?? "") : fresh);
  const ends = grant?.expiresAt?.toISOString().slice(0, 10);
  return (
    <div className="grid gap-4 sm:grid-cols-4">
      <TextField
        name="perMinute"
        label="Uses a minute"
        inputMode="numeric"
        defaultValue={shown(grant?.perMinute, "60")}
      />
      <TextField name="perHour" label="an hour" inputMode="numeric" defaultValue={shown(grant?.perHour, "600")} />
      <TextField name="perDay" label="a day" inputMode="numeric" defaultValue={shown(grant?.perDay, "5000")} />
      <TextField name="expiresAt" label="Ends on" type="date" {...(ends ? { defaultValue: ends } : {})} />
    </div>
  );
}

export function RevokeGrant({ grant }: { grant: GrantView }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn btn-stop">
          Revoke
        </button>
      }
      title="Revoke this grant?"
      confirm="Revoke grant"
      keep="Keep grant"
      tone="stop"
      onConfirm={() => revokeGrant(grant.id)}
    >
      <p>Nothing starts under it from this moment. What waits under it cannot be approved.</p>
    </ReasonDialog>
  );
}
