import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { TOKEN_SCOPES } from "@/server/domain/permission";
import { oneLineText } from "@/server/domain/text";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { newKey } from "@/server/services/identity/keys";

const MAX_TOKENS = 20;
const MAX_DAYS = 365;

const scopesSchema = z
  .array(z.enum(TOKEN_SCOPES))
  .min(1)
  .max(TOKEN_SCOPES.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, "must not name a scope twice");

type Row = {
  id: string;
  name: string;
  scopes: string[];
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

/** One's own tokens, newest first, those that have ended included. */
export const listTokens = command({
  name: "token.list",
  callers: ["member"],
  permission: "self:read",
  input: z.strictObject({}),
  run: async (actor) => {
    const { rows } = await withOrgSql(actor.orgId, (q) =>
      q.query<Row>(
        `SELECT id, name, scopes, created_at, expires_at, last_used_at, revoked_at FROM personal_token
         WHERE member_id = $1 ORDER BY id DESC LIMIT 100`,
        [actor.memberId],
      ),
    );
    const items = rows.map((row) => ({
      id: row.id,
      name: row.name,
      scopes: row.scopes,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      lastUsedAt: row.last_used_at,
      revokedAt: row.revoked_at,
    }));
    return { items };
  },
});

/** Makes a token for the HTTP API. It is in the answer and nowhere else. Deciding is a scope that must be asked for. */
export const createToken = command({
  name: "token.create",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({
    name: oneLineText(100),
    scopes: scopesSchema.default(["read"]),
    expiresInDays: z.int().min(1).max(MAX_DAYS).default(90),
  }),
  run: (actor, { name, scopes, expiresInDays }) =>
    withOrgSql(actor.orgId, async (q) => {
      // The person's row is the turn-taker, so that the cap is exact.
      await q.query("SELECT 1 FROM member WHERE id = $1 FOR UPDATE", [actor.memberId]);
      const { id, key: token, hash } = newKey("user", actor.orgId);
      const { rows } = await q.query<{ created_at: Date; expires_at: Date }>(
        `INSERT INTO personal_token (id, org_id, member_id, name, secret_hash, scopes, expires_at)
         SELECT $1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 day'
         WHERE (SELECT count(*) FROM personal_token
           WHERE member_id = $3 AND revoked_at IS NULL AND expires_at > clock_timestamp()) < $8
         RETURNING created_at, expires_at`,
        [id, actor.orgId, actor.memberId, name, hash, scopes, expiresInDays, MAX_TOKENS],
      );
      const [made] = rows;
      if (made === undefined) {
        throw new AppError("conflict", `You have ${MAX_TOKENS} tokens. Revoke one first.`, {
          reason: "too_many_tokens",
        });
      }
      const fields = { token: id, scopes, expiresAt: made.expires_at.toISOString() };
      await auditSql(q, { type: "token.created", actor, at: made.created_at, fields });
      return { id, name, scopes, token, createdAt: made.created_at, expiresAt: made.expires_at };
    }),
});

/** Ends one of one's own tokens. */
export const revokeToken = command({
  name: "token.revoke",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({ id: idOf("personalToken") }),
  run: (actor, { id }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ revoked_at: Date }>(
        `UPDATE personal_token SET revoked_at = clock_timestamp()
         WHERE id = $1 AND member_id = $2 AND revoked_at IS NULL RETURNING revoked_at`,
        [id, actor.memberId],
      );
      const [revoked] = rows;
      if (revoked === undefined) throw notFound("token");
      await auditSql(q, { type: "token.revoked", actor, at: revoked.revoked_at, fields: { token: id } });
      return { id };
    }),
});

const time = z.iso.datetime();
const shown = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  createdAt: time,
  expiresAt: time,
};

/** The answers, as OpenAPI describes them. */
export const tokensSchema = z.strictObject({
  items: z.array(z.strictObject({ ...shown, lastUsedAt: time.nullable(), revokedAt: time.nullable() })),
});
export const newTokenSchema = z.strictObject({
  ...shown,
  token: z.string().describe("The token: shown here and never again."),
});
