import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { activeControls } from "@/app/_lib/active-controls";
import { requireActor } from "@/app/_lib/actor";
import { readPreferences } from "@/app/_lib/preferences";
import { Shell } from "@/app/_ui/shell";
import { env } from "@/server/env";
import { consoleSummary } from "@/server/services/console/summary";
import { getControls } from "@/server/services/controls/get";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor();
  const [summary, controls] = await Promise.all([consoleSummary(actor, {}), getControls(actor, {})]);
  return (
    <Shell
      viewer={{
        memberId: actor.memberId,
        name: actor.name,
        role: actor.role,
        hasRight: actor.permissions.has("approval:read"),
        organizationName: summary.organizationName,
      }}
      now={summary.now}
      waiting={summary.waiting}
      nobodyCan={summary.nobodyCan}
      slackProblems={summary.slackProblems}
      controls={activeControls(controls)}
      demo={env().DEMO}
      keys={readPreferences(await cookies()).keys}
    >
      {children}
    </Shell>
  );
}
