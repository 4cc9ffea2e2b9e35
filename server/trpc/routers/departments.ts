import { createDepartment } from "@/server/services/departments/create";
import { listDepartments } from "@/server/services/departments/list";
import { renameDepartment } from "@/server/services/departments/rename";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Departments"] as const;

export const departmentsRouter = router({
  list: procedureOf(listDepartments, {
    method: "GET",
    path: "/departments",
    summary: "List departments.",
    tags,
  }),
  create: procedureOf(createDepartment, {
    method: "POST",
    path: "/departments",
    summary: "Add a department: a group of agents with a budget of its own.",
    tags,
    example: { name: "Sales" },
  }),
  rename: procedureOf(renameDepartment, {
    method: "PATCH",
    path: "/departments/{id}",
    summary: "Rename a department.",
    tags,
    example: { name: "Sales Europe" },
  }),
});
