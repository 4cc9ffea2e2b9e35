import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { cutPage, pageOf } from "@/server/domain/page";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { command } from "@/server/services/command";
import { storedHeadline } from "@/server/services/requests/headline";

const COLUMNS = {
  id: true,
  action: true,
  status: true,
  version: true,
  risk: true,
  effect: true,
  isProposal: true,
  takenUpAt: true,
  deniedCheck: true,
  deniedCode: true,
  blockedCode: true,
  errorCode: true,
  createdAt: true,
  updatedAt: true,
  runsAt: true,
  finishedAt: true,
  sealedArguments: true,
  agent: { select: { id: true, name: true } },
  connection: { select: { id: true, name: true, provider: true } },
} as const;

type Filter = {
  readonly status?: string | undefined;
  readonly agentId?: string | undefined;
  readonly proposals?: boolean | undefined;
  readonly takenUp?: boolean | undefined;
  readonly cursor?: string | undefined;
};

const whereOf = ({ status, agentId, proposals, takenUp, cursor }: Filter) => ({
  ...(status === undefined ? {} : { status }),
  ...(agentId === undefined ? {} : { agentId }),
  ...(proposals === undefined ? {} : { isProposal: proposals }),
  ...(takenUp === undefined ? {} : { takenUpAt: takenUp ? { not: null } : null }),
  ...(cursor === undefined ? {} : { id: { lt: cursor } }),
});

/** Requests of the organization, newest first. Of their content a headline, for those who may see content. */
export const listToolRequests = command({
  name: "tool_request.list",
  callers: ["member"],
  permission: "request:read",
  input: z.strictObject({
    status: requestStatusSchema.optional(),
    agentId: idOf("agent").optional(),
    proposals: z.boolean().optional(),
    /** Of proposals: those that were taken up, or those that were not. */
    takenUp: z.boolean().optional(),
    ...pageOf("toolRequest"),
  }),
  run: async (actor, { limit, ...filter }) => {
    const rows = await withOrg(actor.orgId, (tx) =>
      tx.toolRequest.findMany({
        where: { orgId: actor.orgId, ...whereOf(filter) },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: COLUMNS,
      }),
    );
    const page = cutPage(rows, limit);
    const items = page.items.map(async ({ sealedArguments, ...row }) => ({
      ...row,
      headline: await storedHeadline(actor, { ...row, sealedArguments }),
    }));
    return { items: await Promise.all(items), nextCursor: page.nextCursor };
  },
});
