import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { readRights } from "@/server/services/approval-rights/right-view";
import { command } from "@/server/services/command";

/** The rights to approve that hold, beside what roles give. */
export const listRights = command({
  name: "approval_right.list",
  callers: ["member"],
  permission: "member:read",
  input: z.strictObject({}),
  run: (actor) => withOrgSql(actor.orgId, async (q) => ({ items: await readRights(q) })),
});
