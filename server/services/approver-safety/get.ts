import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { command } from "@/server/services/command";

/** What the organization sets about its approvers, and what follows from it at this moment. */
export type ApproverSafetyView = {
  /** An owner who is alone may decide what they asked. */
  readonly ownerDecidesOwn: boolean;
  /** Whether that has an effect now: exactly one person could decide, and it is an owner. */
  readonly isOwnerAlone: boolean;
  /** 0 while nothing was ever set. */
  readonly version: number;
};

const ALONE = `SELECT EXISTS (SELECT 1 FROM member m WHERE m.org_id = app.org_id() AND app.decides_own(m, 1, 'infinity')) AS alone`;

/** The settings of the transaction's organization. */
export async function readApproverSafety(tx: OrgTx): Promise<ApproverSafetyView> {
  const row = await tx.approverSafety.findUnique({ where: { orgId: tx.orgId } });
  const found = await tx.$queryRawUnsafe<{ alone: boolean }[]>(ALONE);
  return {
    ownerDecidesOwn: row?.ownerDecidesOwn ?? false,
    isOwnerAlone: found[0]?.alone ?? false,
    version: row?.version ?? 0,
  };
}

/** What the caller's organization sets about its approvers. */
export const getApproverSafety = command({
  name: "approver_safety.get",
  callers: ["member"],
  permission: "organization:read",
  input: z.strictObject({}),
  run: (actor) => withOrg(actor.orgId, readApproverSafety),
});

/** The same as OpenAPI describes it. */
export const approverSafetySchema = z.strictObject({
  ownerDecidesOwn: z.boolean().describe("An owner who is alone may decide what they asked."),
  isOwnerAlone: z.boolean().describe("Whether that has an effect now: nobody but one owner could decide."),
  version: z.int(),
});
