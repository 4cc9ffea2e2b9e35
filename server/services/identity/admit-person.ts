import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { ParsedKey } from "@/server/domain/key-format";
import { permissionsOfPerson, permissionsOfToken, TOKEN_SCOPES, type TokenScope } from "@/server/domain/permission";
import { type Role, roleSchema } from "@/server/domain/roles";
import { hashSecret } from "@/server/services/identity/keys";
import { invalidCredential, tooManyCalls } from "@/server/services/identity/refusals";
import type { SignInClaims } from "@/server/services/identity/sign-in-cookie";

/** A sign-in ends after so long without a call, and 12 hours after it began at the latest. */
export const IDLE_LIMIT = "2 hours";

type Found = {
  member_id: string;
  name: string;
  role: string;
  has_right: boolean;
  scopes: string[] | null;
  /** Seconds until the rate limit lets a call through. */
  wait: number;
};

/** Whether member `m` holds a right to approve. */
export const HAS_RIGHT =
  "EXISTS (SELECT 1 FROM approval_right x WHERE x.org_id = m.org_id AND x.member_id = m.id AND x.withdrawn_at IS NULL) AS has_right";

// One statement: who it is, the last use (once a minute), and a token of the rate limit.
const BY_TOKEN = `
  WITH found AS (
    SELECT t.id, t.scopes, m.id AS member_id, m.name, m.role, ${HAS_RIGHT}, o.requests_per_minute, o.request_burst
    FROM personal_token t JOIN member m ON m.org_id = t.org_id AND m.id = t.member_id CROSS JOIN organization o
    WHERE t.id = $1 AND t.secret_hash = $2 AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp()
      AND m.disabled_at IS NULL
  ), used AS (
    UPDATE personal_token t SET last_used_at = clock_timestamp() FROM found
    WHERE t.id = found.id AND (t.last_used_at IS NULL OR t.last_used_at < clock_timestamp() - interval '1 minute')
  )
  SELECT member_id, name, role, has_right, scopes, app.take_token(id, requests_per_minute, request_burst) AS wait FROM found`;

const BY_SIGN_IN = `
  WITH found AS (
    SELECT s.id, m.id AS member_id, m.name, m.role, ${HAS_RIGHT}, o.requests_per_minute, o.request_burst
    FROM sign_in s JOIN member m ON m.org_id = s.org_id AND m.id = s.member_id CROSS JOIN organization o
    WHERE s.id = $1 AND s.secret_hash = $2 AND s.revoked_at IS NULL AND s.expires_at > clock_timestamp()
      AND s.last_seen_at > clock_timestamp() - $3::interval AND m.disabled_at IS NULL
  ), used AS (
    UPDATE sign_in s SET last_seen_at = clock_timestamp() FROM found
    WHERE s.id = found.id AND s.last_seen_at < clock_timestamp() - interval '1 minute'
  )
  SELECT member_id, name, role, has_right, NULL AS scopes, app.take_token(id, requests_per_minute, request_burst) AS wait FROM found`;

type Presented = { readonly orgId: string; readonly id: string; readonly kind: "personal_token" | "sign_in" };

/** What was found is counted, not thrown, within the transaction: a refusal must not take its own count back. */
async function find(
  q: OrgSql,
  { id, kind }: Presented,
  text: string,
  values: readonly unknown[],
): Promise<Found | null> {
  const [found] = (await q.query<Found>(text, values)).rows;
  if (found === undefined) await q.query("SELECT app.count_refusal('unauthenticated', $1)", [kind]);
  else if (found.wait > 0) await q.query("SELECT app.count_refusal('rate_limited', $1)", [id]);
  return found ?? null;
}

function memberOf({ orgId, id }: Presented, found: Found): Omit<MemberActor, "via" | "permissions"> & { role: Role } {
  if (found.wait > 0) throw tooManyCalls(found.wait);
  return {
    kind: "member",
    orgId,
    memberId: found.member_id,
    name: found.name,
    role: roleSchema.parse(found.role),
    credentialId: id,
  };
}

const isScope = (text: string): text is TokenScope => (TOKEN_SCOPES as readonly string[]).includes(text);

/** The person behind a personal token, with what its scopes leave of their role. Throws AppError as `admitAgent` does. */
export async function admitToken(key: ParsedKey): Promise<MemberActor> {
  const presented = { orgId: key.orgId, id: key.id, kind: "personal_token" } as const;
  const found = await withOrgSql(key.orgId, (q) => find(q, presented, BY_TOKEN, [key.id, hashSecret(key.secret)]));
  if (found === null) throw invalidCredential();
  const member = memberOf(presented, found);
  const permissions = permissionsOfToken(member.role, (found.scopes ?? []).filter(isScope), found.has_right);
  return { ...member, via: "token", permissions };
}

/** The person behind a sign-in; null when it has ended. Throws AppError `rate_limited`. */
export async function admitSignIn({ org, sid, secret }: SignInClaims): Promise<MemberActor | null> {
  const presented = { orgId: org, id: sid, kind: "sign_in" } as const;
  const found = await withOrgSql(org, (q) => find(q, presented, BY_SIGN_IN, [sid, hashSecret(secret), IDLE_LIMIT]));
  if (found === null) return null;
  const member = memberOf(presented, found);
  return { ...member, via: "sign_in", permissions: permissionsOfPerson(member.role, found.has_right) };
}
