import { PageHead, Section } from "@/app/_ui/bits";
import type { Choice } from "@/app/_ui/form/fields";
import { Page } from "@/app/_ui/pages";
import { RequestList, type RequestRow } from "@/app/_ui/requests/request-list";
import { SafeText } from "@/app/_ui/safe-text";
import type { AgentDetailView } from "@/server/services/agents/agent-view";
import type { AgentKeyView } from "@/server/services/agents/list-keys";
import type { GrantView } from "@/server/services/grants/grant-view";
import { AgentControls } from "./agent-controls";
import { EditAgent } from "./agent-form";
import { AgentPills } from "./agent-pills";
import { type ConnectionChoice, CreateGrant } from "./grant-form";
import { GrantTable } from "./grant-table";
import { KeyTable } from "./key-table";

export type AgentPageProps = {
  agent: AgentDetailView;
  /** Undefined where this person may not see them. */
  grants: readonly GrantView[] | undefined;
  keys: readonly AgentKeyView[];
  recent: readonly RequestRow[] | undefined;
  connections: readonly ConnectionChoice[];
  owners: readonly Choice[];
  departments: readonly Choice[];
  now: Date;
  may: { activate: boolean; manage: boolean; grant: boolean; keys: boolean };
};

/** What an agent can do right now, and the ways to stop it. */
export function AgentDetail(props: AgentPageProps) {
  const { agent, grants, keys, recent, may } = props;
  return (
    <Page>
      <header className="grid gap-3">
        <PageHead title={<SafeText text={agent.name} oneLine />}>
          <AgentPills agent={agent} />
        </PageHead>
        <p className="text-text2">
          Owned by <SafeText text={agent.ownerName} oneLine />, who cannot approve for it. {agent.pendingLimit} requests
          may wait at once.
        </p>
        {agent.pauseNote === null || agent.pausedFor !== null ? null : (
          <p className="text-text2">
            {agent.pausedAt ? "Paused" : "Let go on"} with the reason: <SafeText text={agent.pauseNote} />
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <AgentControls agent={agent} may={may} />
          {may.manage ? <EditAgent agent={agent} owners={props.owners} departments={props.departments} /> : null}
        </div>
      </header>
      {grants ? (
        <Section title="What it can do" id="grants">
          <div className="card overflow-hidden">
            <GrantTable grants={grants} now={props.now} mayManage={may.grant} />
          </div>
          {may.grant && props.connections.length > 0 ? (
            <div>
              <CreateGrant agentId={agent.id} connections={props.connections} />
            </div>
          ) : null}
        </Section>
      ) : null}
      <Section title="Keys" id="keys">
        <KeyTable agentId={agent.id} keys={keys} mayManage={may.keys} />
      </Section>
      {recent ? (
        <Section title="Latest requests" id="recent">
          <div className="card overflow-hidden">
            <RequestList rows={recent} filtered={false} />
          </div>
        </Section>
      ) : null}
    </Page>
  );
}
