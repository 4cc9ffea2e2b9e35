import { z } from "zod";
import { pageSchema } from "@/server/domain/page";
import { changeMember } from "@/server/services/identity/members/change-member";
import { createMember } from "@/server/services/identity/members/create-member";
import { linkMember } from "@/server/services/identity/members/link-member";
import { listMembers } from "@/server/services/identity/members/list-members";
import { memberSchema } from "@/server/services/identity/members/member-view";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Members"] as const;

export const membersRouter = router({
  list: procedureOf(listMembers, {
    method: "GET",
    path: "/members",
    summary: "List the organization's people",
    tags,
    output: pageSchema(memberSchema),
  }),
  create: procedureOf(createMember, {
    method: "POST",
    path: "/members",
    summary: "Invite a person; the link in the answer is shown once",
    tags,
    successStatuses: [201],
    output: memberSchema.extend({ link: z.url(), linkExpiresAt: z.iso.datetime() }),
    example: { email: "ana@corp.example", name: "Ana Ruiz", role: "approver" },
  }),
  change: procedureOf(changeMember, {
    method: "PATCH",
    path: "/members/{id}",
    summary: "Change a person's name or role, or shut them out",
    tags,
    output: memberSchema,
    example: { role: "auditor" },
  }),
  link: procedureOf(linkMember, {
    method: "POST",
    path: "/members/{id}/link",
    summary: "Make a new link for a person to choose a password",
    tags,
    successStatuses: [201],
    output: z.strictObject({ id: z.string(), link: z.url(), linkExpiresAt: z.iso.datetime() }),
  }),
});
