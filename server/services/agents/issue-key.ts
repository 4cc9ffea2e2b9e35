import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { isActiveMember, lockForKeys } from "@/server/services/agents/owner";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { newKey } from "@/server/services/identity/keys";
import { invalidCredential } from "@/server/services/identity/refusals";

const MAX_VALID = 2;

export type IssuedKey = {
  readonly id: string;
  /** The whole key. It is shown this once and stored nowhere. */
  readonly key: string;
  readonly expiresAt: Date;
};

/** Issues a key to an agent, for its owner or an admin. Two may be valid at once, so that one can replace the other. */
export const issueAgentKey = command({
  name: "agent_key.issue",
  callers: ["member"],
  permission: "agent_key:manage",
  input: z.strictObject({ id: idOf("agent"), expiresInDays: z.int().min(1).max(365).default(90) }),
  run: (actor, { id: agentId, expiresInDays }) =>
    withOrg(actor.orgId, async (tx): Promise<IssuedKey> => {
      await requireStillThere(tx, actor.memberId);
      await lockForKeys(tx, actor, agentId);
      await requireRoom(tx, agentId);
      const { id, key, hash } = newKey("agent", tx.orgId);
      const [row] = await tx.$queryRaw<[{ expires_at: Date }]>`
        INSERT INTO agent_key (id, org_id, agent_id, issued_by, secret_hash, expires_at)
        VALUES (${id}, ${tx.orgId}, ${agentId}, ${actor.memberId}, ${hash},
          clock_timestamp() + ${expiresInDays} * interval '1 day')
        RETURNING expires_at`;
      const fields = { key: id, expiresAt: row.expires_at.toISOString() };
      await audit(tx, { type: "agent_key.issued", actor, at: tx.now, agentId, fields });
      return { id, key, expiresAt: row.expires_at };
    }),
});

/** Nobody who was disabled since the call was admitted leaves a key behind. */
async function requireStillThere(tx: OrgTx, memberId: string): Promise<void> {
  if (!(await isActiveMember(tx, memberId))) throw invalidCredential();
}

/** Counted under the lock on the agent's row, by the clock of this moment: of many at once only two find room. */
async function requireRoom(tx: OrgTx, agentId: string): Promise<void> {
  const [row] = await tx.$queryRaw<[{ valid: number }]>`
    SELECT count(*)::int AS valid FROM agent_key
    WHERE agent_id = ${agentId} AND revoked_at IS NULL AND expires_at > clock_timestamp()`;
  if (row.valid < MAX_VALID) return;
  throw new AppError("conflict", "The agent has two valid keys. Revoke one first.", { reason: "two_keys_valid" });
}

/** A fresh key as OpenAPI describes it. */
export const issuedKeySchema = z.strictObject({
  id: z.string(),
  key: z.string().describe("The whole key. It is shown this once and stored nowhere."),
  expiresAt: z.iso.datetime(),
});
