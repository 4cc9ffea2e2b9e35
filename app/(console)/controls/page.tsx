import type { Metadata } from "next";
import { requireActor } from "@/app/_lib/actor";
import { approvalQueue } from "@/app/_lib/approval-queue";
import { PageHead, Section } from "@/app/_ui/bits";
import { ControlHistory } from "@/app/_ui/controls/control-history";
import { ControlState } from "@/app/_ui/controls/control-state";
import { Switches } from "@/app/_ui/controls/switches";
import { Page } from "@/app/_ui/pages";
import { listActions } from "@/server/domain/actions/registry";
import { getControls } from "@/server/services/controls/get";
import { listControlChanges } from "@/server/services/controls/list-changes";

export const metadata: Metadata = { title: "Controls" };

export default async function ControlsPage() {
  const actor = await requireActor("control:read");
  const [controls, changes, queue] = await Promise.all([
    getControls(actor, {}),
    listControlChanges(actor, { limit: 20 }),
    actor.permissions.has("approval:read") ? approvalQueue() : { rows: [] },
  ]);
  const may = {
    activate: actor.permissions.has("control:activate"),
    release: actor.permissions.has("control:release"),
  };
  return (
    <Page>
      <PageHead title="Controls" />
      <ControlState
        controls={controls}
        may={may}
        waiting={queue.rows.filter((row) => row.status === "pending").length}
      />
      <Section title="Smaller stops" id="switches">
        <Switches
          readOnly={controls.readOnly}
          actions={listActions().map(({ name }) => name)}
          actionsOff={controls.actionsOff}
          mayActivate={may.activate}
        />
      </Section>
      <Section title="History" id="history">
        <ControlHistory changes={changes.items} />
      </Section>
    </Page>
  );
}
