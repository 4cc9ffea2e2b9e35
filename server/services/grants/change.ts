import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";
import { AppError } from "@/server/domain/errors";
import {
  DEFAULT_WRITE_DAYS,
  GRANT_ACCESS,
  type GrantTerms,
  grantLimitsSchema,
  grantTermsSchema,
} from "@/server/domain/grant-terms";
import { idOf } from "@/server/domain/ids";
import { versionSchema } from "@/server/domain/version";
import { audit } from "@/server/services/audit/record";
import { changedNames, given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile } from "@/server/services/failures";
import { instantSchema } from "@/server/services/grants/create";
import { readGrant } from "@/server/services/grants/get";
import type { GrantView } from "@/server/services/grants/grant-view";
import { checkTerms, daysFrom } from "@/server/services/grants/terms";

const { actions, allow } = grantTermsSchema.shape;

const wantedSchema = z.strictObject({
  actions: actions.optional(),
  access: z.enum(GRANT_ACCESS).optional(),
  maxRisk: riskSchema.optional(),
  allow: allow.optional(),
  ...grantLimitsSchema.shape,
  /** Null only for a grant that reads. */
  expiresAt: instantSchema.nullable().optional(),
});
type Wanted = z.output<typeof wantedSchema>;

/** The whole of the terms after the change. What becomes a write grant ends, and lists of actions that go, go too. */
function changedTerms(before: GrantView, wanted: Wanted, now: Date): GrantTerms {
  const merged = { ...before, ...given(wanted) };
  const { access, maxRisk } = merged;
  const { perMinute, perHour, perDay } = merged;
  const kept = Object.entries(before.allow).filter(([name]) => merged.actions.includes(name));
  const isNowWrite = access === "write" && before.access === "read" && wanted.expiresAt === undefined;
  return {
    ...{ access, maxRisk, actions: [...merged.actions] },
    allow: wanted.allow ?? Object.fromEntries(kept),
    limits: given({ perMinute: perMinute ?? undefined, perHour: perHour ?? undefined, perDay: perDay ?? undefined }),
    expiresAt: isNowWrite ? daysFrom(now, DEFAULT_WRITE_DAYS) : merged.expiresAt,
  };
}

/** Moves a grant that is still at the version the caller saw, and is not revoked, to the next version. */
async function store(tx: OrgTx, { id, version }: { id: string; version: number }, terms: GrantTerms): Promise<void> {
  const { limits, allow: lists, ...columns } = terms;
  const { count } = await tx.grant.updateMany({
    where: { id, version, revokedAt: null },
    data: { ...columns, ...given(limits), allow: lists as object, version: { increment: 1 } },
  });
  if (count === 0) throw changedMeanwhile("grant");
}

/** Changes what a grant allows. What waits was decided under the old version and is decided again before it runs. */
export const changeGrant = command({
  name: "grant.change",
  callers: ["member"],
  permission: "grant:manage",
  input: wantedSchema.extend({ id: idOf("grant"), version: versionSchema }),
  run: (actor, { id, version, ...wanted }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      const before = await readGrant(tx, id);
      if (before.revokedAt !== null)
        throw new AppError("conflict", "The grant is revoked.", { reason: "grant_revoked" });
      const { connectionId, agentId } = before;
      const connection = await tx.connection.findUniqueOrThrow({
        where: { id: connectionId },
        select: { provider: true, capabilities: true },
      });
      const terms = checkTerms(tx, connection, changedTerms(before, wanted, tx.now));
      await store(tx, { id, version }, terms);
      const changed = changedNames(before, { ...terms, ...terms.limits, limits: undefined });
      const fields = { grant: id, connection: connectionId, changed, version: version + 1 };
      await audit(tx, { type: "grant.changed", actor, at: tx.now, agentId, fields });
      return readGrant(tx, id);
    }),
});
