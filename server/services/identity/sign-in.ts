import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { resolveEmail } from "@/server/db/resolve";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { emailSchema, presentedPasswordSchema } from "@/server/domain/password";
import { permissionsOfRole } from "@/server/domain/permission";
import { roleSchema } from "@/server/domain/roles";
import { cutText } from "@/server/domain/text";
import { auditSql } from "@/server/services/audit/record";
import { countAttempt, forgiveAttempt } from "@/server/services/identity/attempt-limits";
import { hashSecret, newSecret } from "@/server/services/identity/keys";
import { type CountedAttempt, clearFailures, countPasswordAttempt } from "@/server/services/identity/password-attempt";
import { recordWrongPassword } from "@/server/services/identity/password-record";
import { verifyPassword } from "@/server/services/identity/passwords";
import type { SignInClaims } from "@/server/services/identity/sign-in-cookie";

const MAX_USER_AGENT = 200;
const MAX_SIGN_INS = 20;
const ABSOLUTE_LIMIT = "12 hours";

const inputSchema = z.strictObject({
  email: emailSchema,
  password: presentedPasswordSchema,
  /** Where somebody has an account in several organizations with different passwords. */
  organizationId: idOf("organization").optional(),
});

export type SignInInput = z.input<typeof inputSchema>;
export type Origin = { readonly address: string; readonly userAgent: string };

/** A refusal answers no sooner: what the database had to write for one account and not for another stays hidden. */
const REFUSAL_MS = 250;

/**
 * Signs a person in with a password. One answer, after the same time, for an unknown address, a wrong password, a
 * locked and a disabled account. Throws AppError `unauthenticated`, `rate_limited`, `unavailable`.
 */
export async function signIn(raw: SignInInput, origin: Origin): Promise<SignInClaims> {
  const earliest = performance.now() + REFUSAL_MS;
  const claims = await tryToSignIn(raw, origin);
  if (claims !== null) return claims;
  await pause(Math.max(0, earliest - performance.now()));
  throw new AppError("unauthenticated", "No account has this e-mail address and password.", {
    reason: "sign_in_refused",
  });
}

async function tryToSignIn(raw: SignInInput, origin: Origin): Promise<SignInClaims | null> {
  const { data: input } = inputSchema.safeParse(raw);
  const attempt = { address: origin.address, email: input?.email ?? "" };
  await countAttempt(attempt);
  const organizations = input === undefined ? [] : await resolveEmail(input.email);
  const tried = organizations.filter((id) => input?.organizationId === undefined || input.organizationId === id);
  if (input === undefined || tried.length === 0) {
    await verifyPassword(null, "");
    return null;
  }
  for (const orgId of tried) {
    const claims = await signInTo(orgId, input, origin);
    if (claims === null) continue;
    // Only a sign-in that nothing failed before: another organization's password must not buy further guesses here.
    if (orgId === tried[0]) await forgiveAttempt(attempt);
    return claims;
  }
  return null;
}

type Input = z.output<typeof inputSchema>;

async function signInTo(orgId: string, { email, password }: Input, origin: Origin): Promise<SignInClaims | null> {
  const counted = await withOrgSql(orgId, (q) => countPasswordAttempt(q, { email }));
  const isRight = await verifyPassword(counted?.password_hash ?? null, password);
  return withOrgSql(orgId, async (q) => {
    if (counted !== null && isRight) return begin(q, counted, origin);
    await recordWrongPassword(q, counted, origin);
    return null;
  });
}

async function begin(q: OrgSql, counted: CountedAttempt, origin: Origin): Promise<SignInClaims | null> {
  if (!(await clearFailures(q, counted))) return null;
  const claims: SignInClaims = { org: q.orgId, sid: newId("signIn"), secret: newSecret() };
  const userAgent = cutText(origin.userAgent.replace(/[^\x20-\x7e]/g, "?"), MAX_USER_AGENT);
  const { rows } = await q.query<{ created_at: Date }>(
    `INSERT INTO sign_in (id, org_id, member_id, secret_hash, user_agent, expires_at)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval) RETURNING created_at`,
    [claims.sid, q.orgId, counted.member_id, hashSecret(claims.secret), userAgent, ABSOLUTE_LIMIT],
  );
  const { rows: ended } = await q.query<{ id: string }>(
    `UPDATE sign_in SET revoked_at = clock_timestamp() WHERE member_id = $1 AND revoked_at IS NULL AND id NOT IN (
       SELECT id FROM sign_in WHERE member_id = $1 AND revoked_at IS NULL ORDER BY id DESC LIMIT $2) RETURNING id`,
    [counted.member_id, MAX_SIGN_INS],
  );
  const base = { actor: actorOf(q.orgId, counted, claims.sid), at: rows[0]?.created_at ?? counted.now };
  await auditSql(q, [
    {
      ...base,
      type: "sign_in.succeeded",
      fields: { method: "password" },
      personal: { address: origin.address, user_agent: userAgent },
    },
    ...ended.map(
      ({ id }): AuditEntry => ({
        ...base,
        type: "sign_in.revoked",
        fields: { signIn: id, member: counted.member_id, why: "too_many" },
      }),
    ),
  ]);
  return claims;
}

function actorOf(orgId: string, member: CountedAttempt, signInId: string): MemberActor {
  const role = roleSchema.parse(member.role);
  return {
    kind: "member",
    orgId,
    memberId: member.member_id,
    name: member.name,
    role,
    via: "sign_in",
    credentialId: signInId,
    permissions: permissionsOfRole(role),
  };
}
