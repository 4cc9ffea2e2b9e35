import { createAppAddress } from "@/app/_lib/slack-words";
import { Empty, Section } from "@/app/_ui/bits";
import { At } from "@/app/_ui/clock";
import type { SlackLinkView } from "@/server/services/slack/links";
import type { SlackWorkspaces } from "@/server/services/slack/list-workspaces";
import { ConnectByToken, ConnectWorkspace } from "./connect-forms";
import { PeopleList } from "./people-list";
import { WorkspaceCard } from "./workspace-card";

type Props = { slack: SlackWorkspaces; links: readonly SlackLinkView[]; manifest: object };

/** What admins see of Slack: the workspaces, who is who in them, and how to set it up. */
export function SlackAdmin({ slack, links, manifest }: Props) {
  return (
    <>
      <Section title="Workspaces" id="workspaces">
        {slack.items.length === 0 ? (
          <Empty card>
            <p>
              No workspace yet. Approvals are decided in the web app; with Slack, people can decide low and medium risk
              there.
            </p>
          </Empty>
        ) : (
          <ul className="grid gap-3" aria-label="Workspaces">
            {slack.items.map((workspace) => (
              <WorkspaceCard key={workspace.teamId} workspace={workspace} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-2">
          {slack.hasApp ? <ConnectWorkspace /> : null}
          <ConnectByToken />
        </div>
      </Section>
      <Section title="People" id="people">
        <PeopleList links={links} />
      </Section>
      <Section title="The app at Slack" id="app">
        <AppSteps slack={slack} manifest={manifest} />
      </Section>
    </>
  );
}

function AppSteps({ slack, manifest }: { slack: SlackWorkspaces; manifest: object }) {
  const isSocket = slack.mode === "socket";
  return (
    <div className="grid max-w-[48rem] gap-2 text-text2">
      <p>
        <a className="link" href={createAppAddress(manifest)} target="_blank" rel="noreferrer noopener">
          Create the app at Slack
        </a>{" "}
        from{" "}
        <a className="link" href="/api/v1/slack/manifest">
          this deployment’s manifest
        </a>
        , once. Then the operator sets these variables, with the values of the app’s page Basic Information:
      </p>
      <ul className="grid gap-1">
        {isSocket ? (
          <Variable name="SLACK_APP_TOKEN" isSet />
        ) : (
          <Variable name="SLACK_SIGNING_SECRET" isSet={slack.hasSigningSecret} />
        )}
        <Variable name="SLACK_CLIENT_ID" isSet={slack.hasApp} />
        <Variable name="SLACK_CLIENT_SECRET" isSet={slack.hasApp} />
      </ul>
      {isSocket ? <SocketNow socket={slack.socket} /> : <ByRequests />}
    </div>
  );
}

const ByRequests = () => (
  <p>
    Slack calls this server’s address. For a server that Slack cannot reach, set <code>SLACK_APP_TOKEN</code> instead of
    the signing secret: then this server opens a socket (Socket Mode).
  </p>
);

/** How Slack reaches this server where nothing calls its address. */
function SocketNow({ socket }: { socket: SlackWorkspaces["socket"] }) {
  if (socket?.isConnected) {
    return (
      <p className="notice notice-ok">
        Slack calls over a socket (Socket Mode): connected since <At time={socket.since} />.
      </p>
    );
  }
  return (
    <p className="notice notice-stop" role="status">
      {socket === null
        ? "SLACK_APP_TOKEN is set, and this server opens no socket: Socket Mode takes a server that stays. Nothing comes from Slack."
        : `Slack calls over a socket (Socket Mode), and it is not connected. ${socket.fault ?? "It is being opened."} It is tried again by itself; meanwhile nothing comes from Slack, and approvals go on in the web app.`}
    </p>
  );
}

const Variable = ({ name, isSet }: { name: string; isSet: boolean }) => (
  <li>
    <code>{name}</code>: {isSet ? "set" : "not set"}
  </li>
);
