import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { slackMaxRiskSchema } from "@/server/domain/slack-risk";
import { oneLineText } from "@/server/domain/text";
import { versionSchema } from "@/server/domain/version";
import { audit } from "@/server/services/audit/record";
import { changesOf, given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile } from "@/server/services/failures";
import { readOrganization } from "@/server/services/organizations/get";

/** Changes the organization's settings if it is still at the version the caller saw. */
export const changeOrganization = command({
  name: "organization.change",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({
    version: versionSchema,
    name: oneLineText(120).optional(),
    undoSeconds: z.int().min(60).max(300).optional(),
    requestsPerMinute: z.int().min(1).max(1_000_000).optional(),
    requestBurst: z.int().min(1).max(100_000).optional(),
    escalateAfterMinutes: z.int().min(0).max(10_080).optional(),
    slackMaxRisk: slackMaxRiskSchema.optional(),
  }),
  run: (actor, { version, ...wanted }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      const before = await readOrganization(tx);
      const fields = given(wanted);
      const { count } = await tx.organization.updateMany({
        where: { id: tx.orgId, version },
        data: { ...fields, version: { increment: 1 } },
      });
      if (count === 0) throw changedMeanwhile("organization");
      const changes = { ...changesOf(before, fields), version: version + 1 };
      await audit(tx, { type: "organization.changed", actor, at: tx.now, fields: changes });
      return readOrganization(tx);
    }),
});
