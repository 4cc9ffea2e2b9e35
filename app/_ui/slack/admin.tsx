import { createAppAddress } from "@/app/_lib/slack-words";
import { Empty, Section } from "@/app/_ui/bits";
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
        , once. Then the operator sets three variables, with the values of the app’s page Basic Information:
      </p>
      <ul className="grid gap-1">
        <Variable name="SLACK_SIGNING_SECRET" isSet={slack.hasSigningSecret} />
        <Variable name="SLACK_CLIENT_ID" isSet={slack.hasApp} />
        <Variable name="SLACK_CLIENT_SECRET" isSet={slack.hasApp} />
      </ul>
    </div>
  );
}

const Variable = ({ name, isSet }: { name: string; isSet: boolean }) => (
  <li>
    <code>{name}</code>: {isSet ? "set" : "not set"}
  </li>
);
