import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { IDLE_LIMIT } from "@/server/services/identity/admit-person";

type Row = { id: string; user_agent: string; created_at: Date; last_seen_at: Date; expires_at: Date };

const STANDS = "revoked_at IS NULL AND expires_at > clock_timestamp()";

/** One's own sign-ins that stand, newest first. */
export const listSignIns = command({
  name: "self.list_sign_ins",
  callers: ["member"],
  permission: "self:read",
  input: z.strictObject({}),
  run: async (actor) => {
    const { rows } = await withOrgSql(actor.orgId, (q) =>
      q.query<Row>(
        `SELECT id, user_agent, created_at, last_seen_at, expires_at FROM sign_in
         WHERE member_id = $1 AND ${STANDS} AND last_seen_at > clock_timestamp() - $2::interval
         ORDER BY id DESC LIMIT 100`,
        [actor.memberId, IDLE_LIMIT],
      ),
    );
    const items = rows.map((row) => ({
      id: row.id,
      userAgent: row.user_agent,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
      isCurrent: row.id === actor.credentialId,
    }));
    return { items };
  },
});

/** Ends one of one's own sign-ins. */
export const revokeSignIn = command({
  name: "self.revoke_sign_in",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ id: idOf("signIn") }),
  run: (actor, { id }) =>
    withOrgSql(actor.orgId, async (q) => {
      const revoked = await revoke(q, actor, { condition: "id = $2", value: id, why: "by_person" });
      if (revoked === 0) throw notFound("sign-in");
      return { id };
    }),
});

/** Ends all of one's own sign-ins but the one in use. */
export const revokeOtherSignIns = command({
  name: "self.revoke_other_sign_ins",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({}),
  run: (actor) => withOrgSql(actor.orgId, async (q) => ({ revoked: await endOtherSignIns(q, actor, "by_person") })),
});

/** Ends all sign-ins of the actor but the one in use, on record. Returns how many. */
export const endOtherSignIns = (
  q: OrgSql,
  actor: MemberActor,
  why: "by_person" | "password_changed",
): Promise<number> => revoke(q, actor, { condition: "id <> $2", value: actor.credentialId, why });

type Which = { readonly condition: "id = $2" | "id <> $2"; readonly value: string; readonly why: string };

async function revoke(q: OrgSql, actor: MemberActor, { condition, value, why }: Which): Promise<number> {
  const { rows } = await q.query<{ id: string; revoked_at: Date }>(
    `UPDATE sign_in SET revoked_at = clock_timestamp() WHERE member_id = $1 AND ${STANDS} AND ${condition}
     RETURNING id, revoked_at`,
    [actor.memberId, value],
  );
  await auditSql(
    q,
    rows.map(({ id, revoked_at }) => ({ type: "sign_in.revoked", actor, at: revoked_at, fields: { signIn: id, why } })),
  );
  return rows.length;
}

const time = z.iso.datetime();

/** The answers, as OpenAPI describes them. */
export const signInsSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      id: z.string(),
      userAgent: z.string(),
      createdAt: time,
      lastSeenAt: time,
      expiresAt: time,
      isCurrent: z.boolean(),
    }),
  ),
});
export const revokedCountSchema = z.strictObject({ revoked: z.int().describe("How many sign-ins ended.") });
export const revokedSchema = z.strictObject({ id: z.string() });
