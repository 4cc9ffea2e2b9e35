import { KeyRound } from "lucide-react";
import { keyed } from "@/app/_lib/keyed";
import { Empty } from "@/app/_ui/bits";
import { Ago } from "@/app/_ui/clock";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { ConnectionView } from "@/server/services/connections/connection-view";
import { EditConnection, SetCredential, SuspendConnection } from "./connection-form";

type Props = { connections: readonly ConnectionView[]; mayManage: boolean };

const STATUS_WORDS = {
  active: { tone: "ok", text: "active" },
  suspended: { tone: "wait", text: "suspended" },
  needs_reauth: { tone: "stop", text: "needs a new credential" },
} as const;

/** As the form calls them. */
const SETTING_WORDS: Readonly<Record<string, string>> = {
  origins: "Origins",
  host: "Host",
  port: "Port",
  tls: "Encryption",
  from: "Sender address",
};

export function ConnectionList({ connections, mayManage }: Props) {
  if (connections.length === 0) {
    return (
      <Empty card>
        <p>No connection yet. An agent reaches the outside only over one, and only with a grant for it.</p>
      </Empty>
    );
  }
  return (
    <ul className="grid gap-3" aria-label="Connections">
      {connections.map((connection) => (
        <li key={connection.id} className="card grid gap-3 p-4">
          <ConnectionHead connection={connection} />
          <Settings connection={connection} />
          {mayManage ? (
            <div className="flex flex-wrap gap-2">
              <EditConnection connection={connection} />
              <SetCredential connection={connection} />
              <SuspendConnection connection={connection} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function ConnectionHead({ connection }: { connection: ConnectionView }) {
  const status = STATUS_WORDS[connection.status];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="text-md font-semibold">
        <SafeText text={connection.name} oneLine />
      </h2>
      <Pill tone="plain">{connection.provider}</Pill>
      <Pill tone={status.tone}>{status.text}</Pill>
      {connection.sensitive ? <Pill tone="taint">sensitive</Pill> : null}
      <code className="text-text3">{connection.id}</code>
    </div>
  );
}

function Settings({ connection }: { connection: ConnectionView }) {
  return (
    <dl className="facts">
      {connection.account ? (
        <>
          <dt>Account</dt>
          <dd>
            <SafeText text={connection.account} oneLine mono />
          </dd>
        </>
      ) : null}
      {keyed(Object.entries(connection.config)).map(({ key, item: [name, value] }) => (
        <div key={key} className="contents">
          <dt>{SETTING_WORDS[name] ?? name}</dt>
          <dd>
            <SafeText
              text={Array.isArray(value) ? value.map(String).join(", ") || "none" : String(value)}
              oneLine
              mono
            />
          </dd>
        </div>
      ))}
      <dt>Credential</dt>
      <dd>
        <CredentialLine credential={connection.credential} />
      </dd>
    </dl>
  );
}

function CredentialLine({ credential }: { credential: ConnectionView["credential"] }) {
  if (credential === null) return <span className="text-text3">none</span>;
  return (
    <span>
      <KeyRound size={14} strokeWidth={1.75} className="mr-2 inline" aria-hidden />
      {credential.kind}, version {credential.version}
      {credential.hint === "" ? null : (
        <>
          , ends in <code>{credential.hint}</code>
        </>
      )}
      , stored <Ago at={credential.createdAt} />
    </span>
  );
}
