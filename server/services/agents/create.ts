import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrg } from "@/server/db/with-org";
import { autonomySchema } from "@/server/domain/facts";
import { idOf } from "@/server/domain/ids";
import { oneLineText } from "@/server/domain/text";
import { env } from "@/server/env";
import { requireDepartment, requireOwner } from "@/server/services/agents/owner";
import { readAgent } from "@/server/services/agents/read-agent";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { onTaken } from "@/server/services/failures";

export const agentNameSchema = oneLineText(120);
export const pendingLimitSchema = z.int().min(1).max(10_000);

/** Adds an agent. It can do nothing until it has a key and a grant. */
export const createAgent = command({
  name: "agent.create",
  callers: ["member"],
  permission: "agent:manage",
  input: z.strictObject({
    name: agentNameSchema,
    ownerId: idOf("member").optional(),
    departmentId: idOf("department").optional(),
    autonomy: autonomySchema.default("supervised"),
    pendingLimit: pendingLimitSchema.optional(),
  }),
  run: (actor, { name, ownerId = actor.memberId, departmentId, autonomy, pendingLimit }) =>
    onTaken("An agent of this name", () =>
      withOrg(actor.orgId, async (tx) => {
        await requireOwner(tx, ownerId);
        await requireDepartment(tx, departmentId);
        const id = newId("agent");
        await tx.agent.create({
          data: {
            id,
            orgId: tx.orgId,
            name,
            ownerId,
            departmentId: departmentId ?? null,
            autonomy,
            pendingLimit: pendingLimit ?? env().MAX_PENDING_PER_AGENT,
          },
        });
        const department = departmentId === undefined ? {} : { department: departmentId };
        const fields = { name, owner: ownerId, autonomy, ...department };
        await audit(tx, [{ type: "agent.created", actor, at: tx.now, agentId: id, fields }]);
        return readAgent(tx, id);
      }),
    ),
});
