import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { command } from "@/server/services/command";

export type DepartmentView = { readonly id: string; readonly name: string; readonly createdAt: Date };
export const departmentColumns = { id: true, name: true, createdAt: true } as const;

/** The organization's departments, newest first. */
export const listDepartments = command({
  name: "department.list",
  callers: ["member"],
  permission: "agent:read",
  input: z.strictObject(pageOf("department")),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows: DepartmentView[] = await tx.department.findMany({
        where: cursor === undefined ? {} : { id: { lt: cursor } },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: departmentColumns,
      });
      return cutPage(rows, limit);
    }),
});

/** A department as OpenAPI describes it. */
export const departmentSchema = z.strictObject({ id: z.string(), name: z.string(), createdAt: z.iso.datetime() });
