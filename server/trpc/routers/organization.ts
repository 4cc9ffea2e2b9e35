import { changeOrganization } from "@/server/services/organizations/change";
import { getOrganization, organizationSchema } from "@/server/services/organizations/get";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Organization"] as const;

export const organizationRouter = router({
  get: procedureOf(getOrganization, {
    method: "GET",
    path: "/organization",
    summary: "Read the organization's settings.",
    tags,
    output: organizationSchema,
  }),
  change: procedureOf(changeOrganization, {
    method: "PATCH",
    path: "/organization",
    summary: "Change the organization's settings.",
    tags,
    output: organizationSchema,
    example: { version: 1, undoSeconds: 120 },
  }),
});
