import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";
import { AppError } from "@/server/domain/errors";
import {
  DEFAULT_ACCESS,
  DEFAULT_WRITE_DAYS,
  GRANT_ACCESS,
  grantLimitsSchema,
  grantTermsSchema,
} from "@/server/domain/grant-terms";
import { idOf } from "@/server/domain/ids";
import { audit } from "@/server/services/audit/record";
import { given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { invalidField } from "@/server/services/failures";
import { readGrant } from "@/server/services/grants/get";
import { checkTerms, daysFrom } from "@/server/services/grants/terms";

const MAX_GRANTS = 20;
const { actions, allow } = grantTermsSchema.shape;
const { perMinute, perHour, perDay } = grantLimitsSchema.shape;

/** RFC 3339, as an instant. */
export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Lets an agent do something over a connection. It reads unless writing is asked for, and then it ends. */
export const createGrant = command({
  name: "grant.create",
  callers: ["member"],
  permission: "grant:manage",
  input: z.strictObject({
    agentId: idOf("agent"),
    connectionId: idOf("connection"),
    actions,
    access: z.enum(GRANT_ACCESS).default(DEFAULT_ACCESS),
    maxRisk: riskSchema.default("low"),
    allow: allow.default({}),
    perMinute: perMinute.default(60),
    perHour: perHour.default(600),
    perDay: perDay.default(5_000),
    expiresAt: instantSchema.optional(),
  }),
  run: (actor, { agentId, connectionId, ...wanted }) =>
    withOrg(actor.orgId, async (tx) => {
      const connection = await requireEnds(tx, agentId, connectionId);
      const { perMinute, perHour, perDay } = wanted;
      const ends = wanted.expiresAt ?? (wanted.access === "write" ? daysFrom(tx.now, DEFAULT_WRITE_DAYS) : null);
      const terms = checkTerms(tx, connection, {
        ...{ actions: wanted.actions, access: wanted.access, maxRisk: wanted.maxRisk, allow: wanted.allow },
        limits: { perMinute, perHour, perDay },
        expiresAt: ends,
      });
      const { limits, ...columns } = terms;
      const id = newId("grant");
      const row = {
        id,
        orgId: tx.orgId,
        agentId,
        connectionId,
        ...columns,
        ...given(limits),
        createdBy: actor.memberId,
      };
      await tx.grant.create({ data: { ...row, allow: columns.allow as object } });
      const { access, actions: granted, maxRisk, expiresAt } = terms;
      const until = expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() };
      const fields = { grant: id, connection: connectionId, access, actions: granted, maxRisk, version: 1, ...until };
      await audit(tx, { type: "grant.created", actor, at: tx.now, agentId, fields });
      return readGrant(tx, id);
    }),
});

/** Both ends of the grant must be of this organization, and not tied together too often. */
async function requireEnds(tx: OrgTx, agentId: string, connectionId: string) {
  const agent = await tx.agent.findUnique({ where: { id: agentId }, select: { id: true } });
  if (!agent) throw invalidField("agentId", "must be an agent of this organization");
  const connection = await tx.connection.findUnique({
    where: { id: connectionId },
    select: { provider: true, capabilities: true },
  });
  if (!connection) throw invalidField("connectionId", "must be a connection of this organization");
  if ((await tx.grant.count({ where: { agentId, connectionId, revokedAt: null } })) >= MAX_GRANTS) {
    throw new AppError("conflict", `At most ${MAX_GRANTS} grants of an agent over a connection.`, {
      reason: "too_many",
    });
  }
  return connection;
}
