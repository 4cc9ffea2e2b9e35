import Link from "next/link";
import { auditWords } from "@/app/_lib/audit-words";
import { ActorName, type ActorRef } from "@/app/_ui/actor-name";
import { Empty } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import { FieldsList } from "@/app/_ui/fields-list";
import { SafeText } from "@/app/_ui/safe-text";
import type { AuditRecord } from "@/server/services/audit/view";

type Props = { items: readonly AuditRecord[]; names: Readonly<Record<string, string>>; filtered: boolean };

/** Who did what and when, newest first, with the entry's place in the chain. */
export function AuditList({ items, names, filtered }: Props) {
  if (items.length === 0) {
    return (
      <Empty>
        <p>{filtered ? "Nothing matches this filter." : "Nothing is recorded yet."}</p>
      </Empty>
    );
  }
  return (
    <ol className="divide-y divide-line" aria-label="Audit entries">
      {items.map((item) => (
        <li key={item.id}>
          <details>
            <summary className="px-4 py-2.5 hover:bg-sunken">
              <EntryLine item={item} names={names} />
            </summary>
            <EntryDetails item={item} names={names} />
          </details>
        </li>
      ))}
    </ol>
  );
}

type LineProps = { item: AuditRecord; names: Props["names"] };

function EntryLine({ item, names }: LineProps) {
  return (
    <span className="inline-flex w-[calc(100%-1.5rem)] flex-wrap items-baseline gap-x-3 align-top">
      <span className="text-sm whitespace-nowrap text-text3">
        <At time={new Date(item.at)} />
      </span>
      <span className="min-w-0">
        <ActorName actor={actorOf(item, names)} /> {auditWords(item.type)}
      </span>
      {item.request ? <span className="text-sm text-text3">request …{item.request.slice(-6)}</span> : null}
      <span className="ml-auto text-sm text-text3">{item.index === null ? "not sealed yet" : `#${item.index}`}</span>
    </span>
  );
}

function EntryDetails({ item, names }: LineProps) {
  const approvers = item.approvers.map((id) => names[id] ?? id).join(", ");
  const about = {
    type: item.type,
    person: item.person ? (names[item.person] ?? item.person) : undefined,
    agent: item.agent ? (names[item.agent] ?? item.agent) : undefined,
    approvers: approvers || undefined,
    credential: item.credential ?? undefined,
    session: item.session ?? undefined,
    hash: item.hash ?? undefined,
  };
  const personal = Object.entries(item.personal).map(([field, value]): [string, string] => [field, value ?? "erased"]);
  return (
    <div className="grid gap-1 px-4 pb-3 pl-9">
      {item.request ? (
        <Link className="link justify-self-start text-sm" href={`/requests/${item.request}`} prefetch={false}>
          Open request …{item.request.slice(-6)}
        </Link>
      ) : null}
      <FieldsList fields={about} />
      <FieldsList fields={item.fields} />
      {personal.length > 0 ? <FieldsList fields={Object.fromEntries(personal)} /> : null}
      {item.isReadable ? null : (
        <p className="notice notice-stop">
          These bytes are no entry of ours. Verify the log to see what was done. Entry{" "}
          <SafeText text={item.id} oneLine />.
        </p>
      )}
    </div>
  );
}

const KINDS: ReadonlySet<string> = new Set(["member", "agent", "system", "anonymous"]);

function actorOf({ actor }: AuditRecord, names: Props["names"]): ActorRef {
  const kind = actor !== null && KINDS.has(actor.kind) ? (actor.kind as ActorRef["kind"]) : "system";
  const id = actor?.id ?? "";
  return { kind, name: names[id] ?? id };
}
