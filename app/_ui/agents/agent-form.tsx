"use client";

import { useRouter } from "next/navigation";
import { changeAgent, createAgent } from "@/app/_ui/actions";
import { type Choice, ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text, whole } from "@/app/_ui/form/values";
import type { AgentView } from "@/server/services/agents/agent-view";
import { AUTONOMY_WORDS } from "./autonomy";

type People = { owners: readonly Choice[]; departments: readonly Choice[] };

const LEVELS = Object.entries(AUTONOMY_WORDS).map(([value, { long: label }]) => ({ value, label }));

export function CreateAgent({ owners, departments }: People) {
  const router = useRouter();
  const run = async (fields: FormData) => {
    const outcome = await createAgent({
      name: text(fields, "name") ?? "",
      ownerId: text(fields, "ownerId"),
      departmentId: text(fields, "departmentId"),
      autonomy: text(fields, "autonomy"),
    });
    if (outcome.ok) router.push(`/agents/${outcome.value.id}`);
    return outcome;
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-ink ml-auto">
          Create agent
        </button>
      }
      title="Create an agent"
      about="It can do nothing until it has a key and a grant. Its owner cannot approve for it."
      submit="Create agent"
      run={run}
    >
      <AgentFields owners={owners} departments={departments} />
    </FormDialog>
  );
}

export function EditAgent({ agent, owners, departments }: People & { agent: AgentView }) {
  const run = (fields: FormData) =>
    changeAgent(agent.id, {
      version: agent.version,
      name: text(fields, "name"),
      ownerId: text(fields, "ownerId"),
      departmentId: text(fields, "departmentId") ?? null,
      autonomy: text(fields, "autonomy"),
      pendingLimit: whole(fields, "pendingLimit"),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit
        </button>
      }
      title="Edit the agent"
      submit="Save agent"
      run={run}
    >
      <AgentFields agent={agent} owners={owners} departments={departments} />
      <TextField
        name="pendingLimit"
        label="Requests that may wait for a person"
        inputMode="numeric"
        defaultValue={String(agent.pendingLimit)}
      />
    </FormDialog>
  );
}

function AgentFields({ agent, owners, departments }: People & { agent?: AgentView }) {
  return (
    <>
      <TextField name="name" label="Name" maxLength={120} {...(agent ? { defaultValue: agent.name } : {})} />
      <ChoiceField name="autonomy" label="Autonomy" choices={LEVELS} defaultValue={agent?.autonomy ?? "supervised"} />
      {owners.length > 0 ? (
        <ChoiceField
          name="ownerId"
          label="Owner"
          choices={owners}
          {...(agent ? { defaultValue: agent.ownerId } : {})}
        />
      ) : null}
      <ChoiceField
        name="departmentId"
        label="Department"
        choices={[{ value: "", label: "none" }, ...departments]}
        defaultValue={agent?.departmentId ?? ""}
      />
    </>
  );
}
