import { z } from "zod";
import { hot } from "@/server/db/hot";
import { withOrgSql } from "@/server/db/with-org";
import type { AgentActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import type { ParsedKey } from "@/server/domain/key-format";
import { permissionsOfAgents } from "@/server/domain/permission";
import { hashSecret } from "@/server/services/identity/keys";
import { invalidCredential, issuerDisabled, tooManyCalls } from "@/server/services/identity/refusals";

const admittedSchema = z.discriminatedUnion("limited", [
  z.strictObject({ limited: z.literal(true), retryAfter: z.number().positive() }),
  z.strictObject({
    limited: z.literal(false),
    agentId: z.string(),
    issuedBy: z.string(),
    ownerId: z.string(),
    name: z.string(),
  }),
]);

/**
 * The agent behind a key, in one round trip that also takes a token of its rate limit and counts a refusal. Throws
 * AppError `unauthenticated`, alike for an unknown organization, an unknown key, a wrong secret, and a key that has
 * ended, but for one whose issuer is disabled (`key_issuer_disabled`: whoever holds the whole key may know); `rate_limited`
 * with the seconds to wait.
 */
export async function admitAgent(key: ParsedKey): Promise<AgentActor> {
  const [row] = await hot.admitAgent(key.orgId, key.id, hashSecret(key.secret));
  if (row?.admitted === null || row === undefined) throw await refusalOf(key);
  const parsed = admittedSchema.safeParse(row.admitted);
  if (!parsed.success) throw new AppError("unavailable", "The key could not be checked.", {}, { cause: parsed.error });
  const admitted = parsed.data;
  if (admitted.limited) throw tooManyCalls(admitted.retryAfter);
  return {
    kind: "agent",
    orgId: key.orgId,
    agentId: admitted.agentId,
    name: admitted.name,
    ownerId: admitted.ownerId,
    issuedBy: admitted.issuedBy,
    credentialId: key.id,
    permissions: permissionsOfAgents(),
  };
}

async function refusalOf(key: ParsedKey): Promise<AppError> {
  const { rows } = await withOrgSql(key.orgId, (q) =>
    q.query(
      `SELECT 1 FROM agent_key k JOIN member m ON m.org_id = k.org_id AND m.id = k.issued_by
       WHERE k.id = $1 AND k.secret_hash = $2 AND k.revoked_for = 'issuer_disabled' AND m.disabled_at IS NOT NULL
         AND k.expires_at > clock_timestamp()`,
      [key.id, hashSecret(key.secret)],
    ),
  );
  return rows.length === 0 ? invalidCredential() : issuerDisabled();
}
