import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { requestDetail } from "@/app/_lib/request-views";
import { RequestDetailView } from "@/app/_ui/requests/request-detail";
import { describeToolRequest } from "@/server/services/requests/detail";

export const metadata: Metadata = { title: "Request" };

export default async function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("request:read");
  const { id } = await params;
  const request = await orNotFound(describeToolRequest(actor, { id }));
  return <RequestDetailView request={requestDetail(request, actor)} />;
}
