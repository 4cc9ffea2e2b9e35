import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { type ParsedKey, parseKey } from "@/server/domain/key-format";
import { env } from "@/server/env";
import { hashSecret, newKey } from "@/server/services/identity/keys";

const LIFETIME = "24 hours";

/** The one-time key in a setup link. */
export const setupKeySchema = z.string().max(200);

export type SetupLink = {
  /** Opens once. The key stands after the #, which browsers keep to themselves. */
  readonly url: string;
  readonly expiresAt: Date;
};

/**
 * Makes the one link that is valid for its purpose: the first owner's, or a member's password. Earlier ones end.
 */
export async function makeSetupLink(q: OrgSql, memberId: string | null): Promise<SetupLink> {
  await q.query(
    `UPDATE setup_link SET expires_at = clock_timestamp()
     WHERE member_id IS NOT DISTINCT FROM $1 AND used_at IS NULL AND expires_at > clock_timestamp()`,
    [memberId],
  );
  const { id, key, hash } = newKey("setup", q.orgId);
  const { rows } = await q.query<{ expires_at: Date }>(
    `INSERT INTO setup_link (id, org_id, member_id, secret_hash, expires_at)
     VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval) RETURNING expires_at`,
    [id, q.orgId, memberId, hash, LIFETIME],
  );
  const page = memberId === null ? "setup" : "invitation";
  return { url: `${env().PUBLIC_URL}/${page}#${key}`, expiresAt: rows[0]?.expires_at ?? new Date(0) };
}

export const linkNotValid = (): AppError =>
  new AppError("forbidden", "This link is not valid, was used, or has ended. Ask for a new one.", {
    reason: "link_not_valid",
  });

/** Reads a link's key. Throws AppError `link_not_valid`. */
export function setupKey(text: string): ParsedKey {
  const key = parseKey(text);
  if (key?.kind !== "setup") throw linkNotValid();
  return key;
}

type Purpose = "first_owner" | "member";
const CONDITION: Record<Purpose, string> = { first_owner: "member_id IS NULL", member: "member_id IS NOT NULL" };

/** Whether a link is good at this moment; looked at before the costly part. Throws AppError `link_not_valid`. */
export async function requireSetupLink(key: ParsedKey, purpose: Purpose): Promise<void> {
  const { rowCount } = await withOrgSql(key.orgId, (q) =>
    q.query(
      `SELECT 1 FROM setup_link WHERE id = $1 AND secret_hash = $2 AND used_at IS NULL
       AND expires_at > clock_timestamp() AND ${CONDITION[purpose]}`,
      [key.id, hashSecret(key.secret)],
    ),
  );
  if (rowCount !== 1) throw linkNotValid();
}

/** Uses a link up: of two at once one wins. Returns whose it is. Throws AppError `link_not_valid`. */
export async function useSetupLink(q: OrgSql, key: ParsedKey, purpose: Purpose): Promise<string | null> {
  const { rows } = await q.query<{ member_id: string | null }>(
    `UPDATE setup_link SET used_at = clock_timestamp() WHERE id = $1 AND secret_hash = $2 AND used_at IS NULL
     AND expires_at > clock_timestamp() AND ${CONDITION[purpose]} RETURNING member_id`,
    [key.id, hashSecret(key.secret)],
  );
  const [link] = rows;
  if (link === undefined) throw linkNotValid();
  return link.member_id;
}
