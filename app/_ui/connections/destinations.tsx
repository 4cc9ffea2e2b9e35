"use client";

import { trustDestination, untrustDestination } from "@/app/_ui/actions";
import { ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import { SafeText } from "@/app/_ui/safe-text";
import type { DestinationView } from "@/server/services/destinations/list";

const KINDS = [
  { value: "host", label: "a host" },
  { value: "email_domain", label: "a mail domain" },
  { value: "email_address", label: "an e-mail address" },
];
const KIND_WORDS = { host: "host", email_domain: "mail domain", email_address: "address" } as const;

type Props = { destinations: readonly DestinationView[]; mayManage: boolean };

/** Where what agents send counts as staying in the house. */
export function Destinations({ destinations, mayManage }: Props) {
  return (
    <div className="grid gap-3">
      {destinations.length === 0 ? (
        <p className="text-text2">None: everything that leaves counts as outward.</p>
      ) : (
        <ul className="card divide-y divide-line">
          {destinations.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center gap-x-3 px-4 py-2">
              <span className="text-text3">{KIND_WORDS[one.kind]}</span>
              <span className="min-w-0 flex-1">
                <SafeText text={one.value} oneLine mono />
              </span>
              {mayManage ? <Untrust destination={one} /> : null}
            </li>
          ))}
        </ul>
      )}
      {mayManage ? <Trust /> : null}
    </div>
  );
}

function Untrust({ destination }: { destination: DestinationView }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          Stop trusting<span className="sr-only"> {destination.value}</span>
        </button>
      }
      title="Stop trusting this destination?"
      confirm="Stop trusting"
      keep="Keep trusting"
      tone="stop"
      onConfirm={() => untrustDestination(destination.id)}
    >
      <p>
        What goes to <SafeText text={destination.value} oneLine mono /> is outward again and may ask a person.
      </p>
    </ReasonDialog>
  );
}

function Trust() {
  return (
    <div>
      <FormDialog
        trigger={
          <button type="button" className="btn">
            Trust a destination
          </button>
        }
        title="Trust a destination"
        about="Agents may then send to it without asking for that reason. Their grants still have to allow it."
        submit="Trust destination"
        run={(fields) => trustDestination({ kind: text(fields, "kind"), value: text(fields, "value") ?? "" })}
      >
        <ChoiceField name="kind" label="What" choices={KINDS} />
        <TextField
          name="value"
          label="Which"
          mono
          hint="api.example.com with its port unless that is the usual one; corp.example, or .corp.example with all below it"
        />
      </FormDialog>
    </div>
  );
}
