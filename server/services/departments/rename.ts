import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { oneLineText } from "@/server/domain/text";
import { audit } from "@/server/services/audit/record";
import { changesOf } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { type DepartmentView, departmentColumns } from "@/server/services/departments/list";
import { notFound, onTaken } from "@/server/services/failures";

/** Gives a department another name. */
export const renameDepartment = command({
  name: "department.rename",
  callers: ["member"],
  permission: "agent:manage",
  input: z.strictObject({ id: idOf("department"), name: oneLineText(120) }),
  run: (actor, { id, name }) =>
    onTaken("A department of this name", () =>
      withOrg(actor.orgId, async (tx): Promise<DepartmentView> => {
        const before = await tx.department.findUnique({ where: { id }, select: departmentColumns });
        if (!before) throw notFound("department");
        const row = await tx.department.update({ where: { id }, data: { name }, select: departmentColumns });
        const fields = { department: id, ...changesOf(before, { name }) };
        await audit(tx, { type: "department.changed", actor, at: tx.now, fields });
        return row;
      }),
    ),
});
