import { pageSchema } from "@/server/domain/page";
import { createDepartment } from "@/server/services/departments/create";
import { departmentSchema, listDepartments } from "@/server/services/departments/list";
import { renameDepartment } from "@/server/services/departments/rename";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Departments"] as const;

export const departmentsRouter = router({
  list: procedureOf(listDepartments, {
    method: "GET",
    path: "/departments",
    summary: "List departments.",
    tags,
    output: pageSchema(departmentSchema),
  }),
  create: procedureOf(createDepartment, {
    method: "POST",
    path: "/departments",
    summary: "Add a department: a group of agents with a budget of its own.",
    tags,
    successStatuses: [201],
    output: departmentSchema,
    example: { name: "Sales" },
  }),
  rename: procedureOf(renameDepartment, {
    method: "PATCH",
    path: "/departments/{id}",
    summary: "Rename a department.",
    tags,
    output: departmentSchema,
    example: { name: "Sales Europe" },
  }),
});
