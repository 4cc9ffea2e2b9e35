import { allowLabel } from "@/app/_lib/allow-fields";
import { formatCount } from "@/app/_lib/format";
import { keyed } from "@/app/_lib/keyed";
import { At } from "@/app/_ui/clock";
import { Pill, RiskPill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { GrantView } from "@/server/services/grants/grant-view";
import { EditGrant, RevokeGrant } from "./grant-form";

type Props = { grants: readonly GrantView[]; now: Date; mayManage: boolean };

/** What the agent can do right now, one row a grant; ended ones come last, in grey. */
export function GrantTable({ grants, now, mayManage }: Props) {
  const isOpen = (grant: GrantView) => grant.revokedAt === null && (grant.expiresAt === null || grant.expiresAt > now);
  const ordered = [...grants.filter(isOpen), ...grants.filter((grant) => !isOpen(grant))];
  if (ordered.length === 0) return <p className="text-text2">No grant: every call of this agent is refused.</p>;
  return (
    <table className="table table-stack">
      <thead>
        <tr>
          <th scope="col">Connection</th>
          <th scope="col">Actions</th>
          <th scope="col">Only where</th>
          <th scope="col">Limits</th>
          <th scope="col">Ends</th>
          <th scope="col">
            <span className="sr-only">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {ordered.map((grant) => (
          <GrantLine key={grant.id} grant={grant} isOpen={isOpen(grant)} mayManage={mayManage} />
        ))}
      </tbody>
    </table>
  );
}

function GrantLine({ grant, isOpen, mayManage }: { grant: GrantView; isOpen: boolean; mayManage: boolean }) {
  return (
    <tr className={isOpen ? "" : "text-text3"}>
      <td>
        <SafeText text={grant.connectionName} oneLine />
      </td>
      <td data-label="Actions">
        <span className="flex flex-wrap gap-1.5">
          <Pill tone={grant.access === "write" ? "wait" : "plain"}>{grant.access}</Pill>
          {grant.actions.map((action) => (
            <code key={action}>{action}</code>
          ))}
          <span className="text-text3">up to</span> <RiskPill risk={grant.maxRisk} />
        </span>
      </td>
      <td data-label="Only where">
        <AllowLists allow={grant.allow} />
      </td>
      <td data-label="Limits">{limitsOf(grant)}</td>
      <td data-label="Ends">{ending(grant)}</td>
      <td>
        {mayManage && isOpen ? (
          <span className="flex gap-2">
            <EditGrant grant={grant} />
            <RevokeGrant grant={grant} />
          </span>
        ) : null}
      </td>
    </tr>
  );
}

function AllowLists({ allow }: { allow: GrantView["allow"] }) {
  const lists = Object.entries(allow).flatMap(([action, list]) =>
    Object.entries(list).map(([name, value]) => [allowLabel(action, name), value] as const),
  );
  if (lists.length === 0) return <span className="text-text3">nothing: the list is empty</span>;
  return (
    <dl className="grid gap-0.5 text-sm">
      {keyed(lists).map(({ key, item: [name, value] }) => (
        <div key={key} className="flex min-w-0 flex-wrap gap-x-1.5">
          <dt className="text-text3">{name}</dt>
          <dd className="min-w-0">
            <SafeText
              text={Array.isArray(value) ? value.map(String).join(", ") || "none" : String(value)}
              oneLine
              mono
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function limitsOf({ perMinute, perHour, perDay }: GrantView): string {
  const parts = [
    perMinute === null ? "" : `${formatCount(perMinute)} a minute`,
    perHour === null ? "" : `${formatCount(perHour)} an hour`,
    perDay === null ? "" : `${formatCount(perDay)} a day`,
  ];
  return parts.filter((part) => part !== "").join(", ") || "none";
}

function ending(grant: GrantView) {
  if (grant.revokedAt) return "revoked";
  return grant.expiresAt ? <At time={grant.expiresAt} /> : <span className="text-text3">no end</span>;
}
