import { CircleCheck, TriangleAlert } from "lucide-react";
import { plural } from "@/app/_lib/format";
import { Ago, At } from "@/app/_ui/clock";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { SlackWorkspaceView } from "@/server/services/slack/list-workspaces";
import { CheckSetUp } from "./check-set-up";
import { ChooseAlertsChannel } from "./choose-alerts-channel";
import { ChooseChannel, DisconnectWorkspace } from "./connect-forms";

type Props = { workspace: SlackWorkspaceView };

/** One workspace: how it stands, what is delivered, and what can be done about it. */
export function WorkspaceCard({ workspace }: Props) {
  const isConnected = workspace.removedAt === null;
  return (
    <li className="card grid gap-3 p-4">
      <Head workspace={workspace} />
      <Problem workspace={workspace} />
      {isConnected ? (
        <>
          <Facts workspace={workspace} />
          <div className="flex flex-wrap gap-2">
            <ChooseChannel workspace={workspace} />
            <ChooseAlertsChannel workspace={workspace} />
            <CheckSetUp teamId={workspace.teamId} />
            <DisconnectWorkspace workspace={workspace} />
          </div>
        </>
      ) : null}
    </li>
  );
}

function Head({ workspace: { name, teamId, enterpriseId, removedAt, problem } }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="text-md font-semibold">
        <SafeText text={name || teamId} oneLine />
      </h3>
      {teamId === enterpriseId ? <Pill tone="plain">whole Enterprise Grid</Pill> : null}
      <State isConnected={removedAt === null} hasProblem={problem !== null} />
      <code className="text-text3">{teamId}</code>
      {removedAt ? (
        <span className="text-sm text-text3">
          since <At time={removedAt} />
        </span>
      ) : null}
    </div>
  );
}

function State({ isConnected, hasProblem }: { isConnected: boolean; hasProblem: boolean }) {
  if (!isConnected) return <Pill tone="quiet">disconnected</Pill>;
  if (hasProblem) {
    return (
      <Pill tone="stop" icon={TriangleAlert}>
        gets no cards
      </Pill>
    );
  }
  return (
    <Pill tone="ok" icon={CircleCheck}>
      connected
    </Pill>
  );
}

function Problem({ workspace: { problem } }: Props) {
  if (problem === null) return null;
  return (
    <p className="notice notice-stop">
      {problem.what} {problem.next}
    </p>
  );
}

function Alerts({ workspace: { alerts } }: Props) {
  if (alerts.channelId === null) return <>none</>;
  return (
    <>
      <code>{alerts.channelId}</code>
      {alerts.due > 0 ? `, ${plural(alerts.due, "alert is", "alerts are")} not told yet` : ""}
      {alerts.problem ? `. ${alerts.problem.what} ${alerts.problem.next}` : ""}
    </>
  );
}

function Facts({ workspace }: Props) {
  const { channelId, isOpenChannel, cards, lastCallAt, people, connectedBy, connectedAt } = workspace;
  return (
    <dl className="facts">
      <dt>Channel</dt>
      <dd>
        {channelId === null ? "none" : <code>{channelId}</code>}
        {channelId !== null && isOpenChannel ? ", public or shared: links only" : ""}
      </dd>
      <dt>Alerts</dt>
      <dd>
        <Alerts workspace={workspace} />
      </dd>
      <dt>Delivery</dt>
      <dd>
        {plural(cards.waiting, "card waits", "cards wait")}
        {cards.behind > 0 ? `, ${plural(cards.behind, "approval has", "approvals have")} none there yet` : ""}
        {cards.lastAt ? (
          <>
            , last <Ago at={cards.lastAt} />
          </>
        ) : null}
      </dd>
      <dt>Calls from Slack</dt>
      <dd>
        {lastCallAt ? (
          <>
            last <Ago at={lastCallAt} />
          </>
        ) : (
          "none yet"
        )}
      </dd>
      <dt>People</dt>
      <dd>{people} linked</dd>
      <dt>Connected</dt>
      <dd>
        by <SafeText text={connectedBy} oneLine />, <At time={connectedAt} />
      </dd>
    </dl>
  );
}
