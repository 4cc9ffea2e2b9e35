import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { autonomySchema } from "@/server/domain/facts";
import { idOf } from "@/server/domain/ids";
import { versionSchema } from "@/server/domain/version";
import { agentNameSchema, pendingLimitSchema } from "@/server/services/agents/create";
import { requireDepartment, requireOwner } from "@/server/services/agents/owner";
import { readAgent } from "@/server/services/agents/read-agent";
import { audit } from "@/server/services/audit/record";
import { changesOf, given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile, onTaken } from "@/server/services/failures";

/** Changes an agent that is still at the version the caller saw. */
export const changeAgent = command({
  name: "agent.change",
  callers: ["member"],
  permission: "agent:manage",
  input: z.strictObject({
    id: idOf("agent"),
    version: versionSchema,
    name: agentNameSchema.optional(),
    ownerId: idOf("member").optional(),
    departmentId: idOf("department").nullable().optional(),
    autonomy: autonomySchema.optional(),
    readOnly: z.boolean().optional(),
    pendingLimit: pendingLimitSchema.optional(),
  }),
  run: (actor, { id, version, ...wanted }) =>
    onTaken("An agent of this name", () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const before = await readAgent(tx, id);
        const fields = given(wanted);
        if (fields.ownerId !== undefined) await requireOwner(tx, fields.ownerId);
        await requireDepartment(tx, fields.departmentId);
        const { count } = await tx.agent.updateMany({
          where: { id, version },
          data: { ...fields, version: { increment: 1 } },
        });
        if (count === 0) throw changedMeanwhile("agent");
        const changes = { ...changesOf(before, fields), version: version + 1 };
        await audit(tx, [{ type: "agent.changed", actor, at: tx.now, agentId: id, fields: changes }]);
        return readAgent(tx, id);
      }),
    ),
});
