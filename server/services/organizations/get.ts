import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { type SlackMaxRisk, slackMaxRiskSchema } from "@/server/domain/slack-risk";
import { command } from "@/server/services/command";

export type OrganizationView = {
  readonly id: string;
  readonly name: string;
  /** How long what has an undo window waits, in seconds. */
  readonly undoSeconds: number;
  /** Calls one credential may make in a minute, and at once. */
  readonly requestsPerMinute: number;
  readonly requestBurst: number;
  /** Minutes after which what nobody decides goes on to the next role; 0 is never. */
  readonly escalateAfterMinutes: number;
  /** The highest risk that may be approved in Slack. */
  readonly slackMaxRisk: SlackMaxRisk;
  readonly version: number;
  readonly createdAt: Date;
};

const columns = {
  id: true,
  name: true,
  undoSeconds: true,
  requestsPerMinute: true,
  requestBurst: true,
  escalateAfterMinutes: true,
  slackMaxRisk: true,
  version: true,
  createdAt: true,
} as const;

/** The transaction's organization. */
export async function readOrganization(tx: OrgTx): Promise<OrganizationView> {
  const row = await tx.organization.findUniqueOrThrow({ where: { id: tx.orgId }, select: columns });
  return { ...row, slackMaxRisk: slackMaxRiskSchema.parse(row.slackMaxRisk) };
}

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
  escalateAfterMinutes: z.int(),
  slackMaxRisk: slackMaxRiskSchema,
  version: z.int(),
  createdAt: z.iso.datetime(),
});
