import type { Metadata } from "next";
import { requireActor } from "@/app/_lib/actor";
import { agentPage } from "@/app/_lib/agent-page";
import { AgentDetail } from "@/app/_ui/agents/agent-detail";

export const metadata: Metadata = { title: "Agent" };

export default async function AgentPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("agent:read");
  const { id } = await params;
  return <AgentDetail {...(await agentPage(actor, id))} />;
}
