import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { cutPage, pageOf } from "@/server/domain/page";
import { readAgent } from "@/server/services/agents/read-agent";
import { command } from "@/server/services/command";

export type AgentKeyView = {
  readonly id: string;
  readonly issuedBy: string;
  readonly issuerName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  /** By the database's clock. */
  readonly isValid: boolean;
};

const columns = {
  id: true,
  issuedBy: true,
  issuer: { select: { name: true } },
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
} as const;

/** An agent's keys, newest first: when each was issued, by whom, and last used. Never the key. */
export const listAgentKeys = command({
  name: "agent_key.list",
  callers: ["member"],
  permission: "agent:read",
  input: z.strictObject({ id: idOf("agent"), ...pageOf("agentKey") }),
  run: (actor, { id: agentId, limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      await readAgent(tx, agentId);
      const rows = await tx.agentKey.findMany({
        where: { agentId, ...(cursor === undefined ? {} : { id: { lt: cursor } }) },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: columns,
      });
      const views = rows.map(
        ({ issuer, ...row }): AgentKeyView => ({
          ...row,
          issuerName: issuer.name,
          isValid: row.revokedAt === null && row.expiresAt > tx.now,
        }),
      );
      return cutPage(views, limit);
    }),
});

/** A key as OpenAPI describes it. */
export const agentKeySchema = z.strictObject({
  id: z.string(),
  issuedBy: z.string(),
  issuerName: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  isValid: z.boolean(),
});
