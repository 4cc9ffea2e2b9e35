import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { command } from "@/server/services/command";

export type OrganizationView = {
  readonly id: string;
  readonly name: string;
  /** How long what has an undo window waits, in seconds. */
  readonly undoSeconds: number;
  /** Calls one credential may make in a minute, and at once. */
  readonly requestsPerMinute: number;
  readonly requestBurst: number;
  readonly version: number;
  readonly createdAt: Date;
};

const columns = {
  id: true,
  name: true,
  undoSeconds: true,
  requestsPerMinute: true,
  requestBurst: true,
  version: true,
  createdAt: true,
} as const;

/** The transaction's organization. */
export const readOrganization = (tx: OrgTx): Promise<OrganizationView> =>
  tx.organization.findUniqueOrThrow({ where: { id: tx.orgId }, select: columns });

/** The caller's organization. */
export const getOrganization = command({
  name: "organization.get",
  callers: ["member"],
  permission: "organization:read",
  input: z.strictObject({}),
  run: (actor) => withOrg(actor.orgId, readOrganization),
});

/** An organization as OpenAPI describes it. */
export const organizationSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  undoSeconds: z.int(),
  requestsPerMinute: z.int(),
  requestBurst: z.int(),
  version: z.int(),
  createdAt: z.iso.datetime(),
});
