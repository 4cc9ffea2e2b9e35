import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrg } from "@/server/db/with-org";
import { oneLineText } from "@/server/domain/text";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { type DepartmentView, departmentColumns } from "@/server/services/departments/list";
import { onTaken } from "@/server/services/failures";

/** Adds a department: a group of agents with a budget of its own. */
export const createDepartment = command({
  name: "department.create",
  callers: ["member"],
  permission: "agent:manage",
  input: z.strictObject({ name: oneLineText(120) }),
  run: (actor, { name }) =>
    onTaken("A department of this name", () =>
      withOrg(actor.orgId, async (tx): Promise<DepartmentView> => {
        const id = newId("department");
        const row = await tx.department.create({ data: { id, orgId: tx.orgId, name }, select: departmentColumns });
        await audit(tx, { type: "department.created", actor, at: tx.now, fields: { department: id, name } });
        return row;
      }),
    ),
});
