"use client";

import { issueKey, revokeKey } from "@/app/_ui/actions";
import { Ago, At } from "@/app/_ui/clock";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { SecretOnce } from "@/app/_ui/form/secret-once";
import { whole } from "@/app/_ui/form/values";
import { Pill } from "@/app/_ui/pill";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import { SafeText } from "@/app/_ui/safe-text";
import type { AgentKeyView } from "@/server/services/agents/list-keys";

type Props = { agentId: string; keys: readonly AgentKeyView[]; mayManage: boolean };

/** An agent's keys: never their text, only when and by whom. */
export function KeyTable({ agentId, keys, mayManage }: Props) {
  return (
    <div className="grid gap-3">
      {keys.length === 0 ? (
        <p className="text-text2">No key yet. Without one the agent cannot call.</p>
      ) : (
        <div className="card overflow-hidden">
          <table className="table table-stack">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Issued by</th>
                <th scope="col">Last used</th>
                <th scope="col">Ends</th>
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <KeyLine key={key.id} agentId={agentId} agentKey={key} mayManage={mayManage} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {mayManage ? <IssueKey agentId={agentId} /> : null}
    </div>
  );
}

function KeyLine({
  agentId,
  agentKey: key,
  mayManage,
}: {
  agentId: string;
  agentKey: AgentKeyView;
  mayManage: boolean;
}) {
  return (
    <tr>
      <td>
        <code>…{key.id.slice(-8)}</code>{" "}
        {key.isValid ? null : <Pill tone="quiet">{key.revokedAt ? "revoked" : "expired"}</Pill>}
      </td>
      <td data-label="Issued by">
        <SafeText text={key.issuerName} oneLine />
      </td>
      <td data-label="Last used">
        {key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : <span className="text-text3">never</span>}
      </td>
      <td data-label="Ends">
        <At time={key.expiresAt} />
      </td>
      <td>
        {mayManage && key.isValid ? (
          <span className="flex">
            <RevokeKey agentId={agentId} keyId={key.id} />
          </span>
        ) : null}
      </td>
    </tr>
  );
}

function RevokeKey({ agentId, keyId }: { agentId: string; keyId: string }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          Revoke<span className="sr-only"> key …{keyId.slice(-8)}</span>
        </button>
      }
      title="Revoke this key?"
      confirm="Revoke key"
      keep="Keep key"
      tone="stop"
      onConfirm={() => revokeKey(agentId, keyId)}
    >
      <p>The agent’s next call with it is refused. A revoked key never works again.</p>
    </ReasonDialog>
  );
}

function IssueKey({ agentId }: { agentId: string }) {
  return (
    <div>
      <FormDialog
        trigger={
          <button type="button" className="btn">
            Issue key
          </button>
        }
        title="Issue a key"
        about="Two can be valid at once, so that one can replace the other. Who issues a key cannot approve what is asked with it."
        submit="Issue key"
        run={(fields) => issueKey(agentId, { expiresInDays: whole(fields, "expiresInDays") })}
        result={(value) => (
          <SecretOnce
            secret={(value as { key: string }).key}
            note="This is the whole key. It is shown now and never again."
          />
        )}
      >
        <TextField name="expiresInDays" label="Valid for how many days" inputMode="numeric" defaultValue="90" />
      </FormDialog>
    </div>
  );
}
