import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { findAction } from "@/server/domain/actions/registry";
import type { JsonValue } from "@/server/domain/json";
import { command } from "@/server/services/command";

/** One action over one connection that an agent holds a grant for. */
export type Tool = {
  readonly action: string;
  readonly connection: string;
  readonly connectionName: string;
  readonly summary: string;
  readonly risk: string;
  readonly access: string;
  readonly allow: JsonValue;
  readonly expiresAt: Date | null;
  readonly arguments: JsonValue;
};

/** What the calling agent may ask for now, with the JSON Schema of the arguments. The same grants decide a call. */
export const listTools = command({
  name: "tool.list",
  callers: ["agent"],
  permission: "tool:submit",
  input: z.strictObject({}),
  run: async (actor) => {
    const grants = await withOrg(actor.orgId, (tx) =>
      tx.grant.findMany({
        where: {
          orgId: actor.orgId,
          agentId: actor.agentId,
          revokedAt: null,
          OR: [{ expiresAt: null }, { expiresAt: { gt: tx.now } }],
          connection: { status: "active" },
        },
        orderBy: { id: "asc" },
        include: { connection: { select: { id: true, name: true, provider: true, capabilities: true } } },
      }),
    );
    return { items: grants.flatMap(toolsOf) };
  },
});

type GrantRow = {
  readonly actions: string[];
  readonly access: string;
  readonly maxRisk: string;
  readonly allow: unknown;
  readonly expiresAt: Date | null;
  readonly connection: {
    readonly id: string;
    readonly name: string;
    readonly provider: string;
    readonly capabilities: string[];
  };
};

function toolsOf(grant: GrantRow): Tool[] {
  const { connection } = grant;
  return grant.actions.flatMap((name) => {
    const action = findAction(name);
    if (
      action === null ||
      action.provider !== connection.provider ||
      !connection.capabilities.includes(action.capability)
    )
      return [];
    const allow = grant.allow as Record<string, JsonValue> | null;
    return {
      action: name,
      connection: connection.id,
      connectionName: connection.name,
      summary: action.summary,
      risk: action.risk,
      access: grant.access,
      allow: allow?.[name] ?? null,
      expiresAt: grant.expiresAt,
      arguments: z.toJSONSchema(action.input, { io: "input", unrepresentable: "any" }) as JsonValue,
    };
  });
}
