"use client";

import { createToken, revokeToken } from "@/app/_ui/actions";
import { Ago, At, useNow } from "@/app/_ui/clock";
import { DoButton } from "@/app/_ui/do-button";
import { CheckField, CheckGroup, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { SecretOnce } from "@/app/_ui/form/secret-once";
import { chosen, text, whole } from "@/app/_ui/form/values";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";

export type TokenView = {
  id: string;
  name: string;
  scopes: readonly string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

const SCOPES = [
  { value: "read", label: "read" },
  { value: "manage", label: "manage: configure what your role may configure" },
  { value: "decide", label: "decide: approve and reject as you" },
] as const;

/** Personal tokens for the HTTP API. */
export function TokenList({ tokens }: { tokens: readonly TokenView[] }) {
  return (
    <div className="grid gap-3">
      {tokens.length === 0 ? (
        <p className="text-text2">No token yet.</p>
      ) : (
        <ul className="card divide-y divide-line">
          {tokens.map((token) => (
            <TokenLine key={token.id} token={token} />
          ))}
        </ul>
      )}
      <div>
        <CreateToken />
      </div>
    </div>
  );
}

function TokenLine({ token }: { token: TokenView }) {
  const now = useNow();
  const isOpen = token.revokedAt === null && token.expiresAt.getTime() > now;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1">
        <strong>
          <SafeText text={token.name} oneLine />
        </strong>{" "}
        <span className="text-text2">{token.scopes.join(", ")}</span>
        <span className="block text-sm text-text3">
          ends <At time={token.expiresAt} />,{" "}
          {token.lastUsedAt ? (
            <>
              last used <Ago at={token.lastUsedAt} />
            </>
          ) : (
            "never used"
          )}
        </span>
      </span>
      {isOpen ? (
        <DoButton run={() => revokeToken(token.id)} done="Revoked: the token works no more.">
          Revoke<span className="sr-only"> {token.name}</span>
        </DoButton>
      ) : (
        <Pill tone="quiet">{token.revokedAt ? "revoked" : "expired"}</Pill>
      )}
    </li>
  );
}

function CreateToken() {
  const run = (fields: FormData) =>
    createToken({
      name: text(fields, "name") ?? "",
      scopes: chosen(fields, "scopes"),
      expiresInDays: whole(fields, "expiresInDays"),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Create token
        </button>
      }
      title="Create a personal token"
      about="It acts as you, within these scopes and your role, until it ends."
      submit="Create token"
      run={run}
      result={(value) => (
        <SecretOnce
          secret={(value as { token: string }).token}
          note="This is the whole token. It is shown now and never again."
        />
      )}
    >
      <TextField name="name" label="What it is for" maxLength={100} />
      <CheckGroup legend="Scopes">
        {SCOPES.map(({ value, label }) => (
          <CheckField key={value} name="scopes" value={value} label={label} defaultChecked={value === "read"} />
        ))}
      </CheckGroup>
      <TextField name="expiresInDays" label="Valid for how many days" inputMode="numeric" defaultValue="90" />
    </FormDialog>
  );
}
