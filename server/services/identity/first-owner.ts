import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { hasMember, organizationWithoutMembers } from "@/server/db/resolve";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { emailSchema, newPasswordSchema, personNameSchema } from "@/server/domain/password";
import { oneLineText } from "@/server/domain/text";
import { auditSql } from "@/server/services/audit/record";
import { invalid } from "@/server/services/command";
import { countAttempt } from "@/server/services/identity/attempt-limits";
import { createOrganization, databaseNow } from "@/server/services/identity/create-organization";
import { hashPassword } from "@/server/services/identity/passwords";
import {
  makeSetupLink,
  requireSetupLink,
  type SetupLink,
  setupKey,
  setupKeySchema,
  useSetupLink,
} from "@/server/services/identity/setup-links";

/** One at a time over the whole deployment, so that there is one first owner. Held until the transaction ends. */
const takeTurn = (q: OrgSql) => q.query("SELECT pg_advisory_xact_lock(hashtextextended('first-owner', 0))");

/**
 * A one-time link, good for 24 hours, by which the first owner sets this deployment up. Earlier ones end. Null once
 * anybody belongs to it.
 */
export async function createFirstOwnerLink(): Promise<SetupLink | null> {
  if (await hasMember()) return null;
  const orgId = (await organizationWithoutMembers()) ?? newId("organization");
  return withOrgSql(orgId, async (q) => {
    await takeTurn(q);
    if (await hasMember()) return null;
    const other = await organizationWithoutMembers();
    if (other !== null && other !== orgId) return null;
    await q.query("INSERT INTO organization (id, name) VALUES ($1, '') ON CONFLICT DO NOTHING", [orgId]);
    return makeSetupLink(q, null);
  });
}

const inputSchema = z.strictObject({
  token: setupKeySchema,
  organizationName: oneLineText(100),
  name: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});
export type SetupInput = z.input<typeof inputSchema>;

/**
 * Makes the organization and its first owner: all of it or nothing, and once. Throws AppError `invalid`,
 * `link_not_valid`, `already_set_up`, `rate_limited`.
 */
export async function completeSetup(
  raw: SetupInput,
  from: { readonly address: string },
): Promise<{ organizationId: string }> {
  await countAttempt({ address: from.address, email: "" });
  const parsed = inputSchema.safeParse(raw);
  if (!parsed.success) throw invalid(parsed.error);
  const { token, organizationName, name, email, password } = parsed.data;
  const key = setupKey(token);
  await requireSetupLink(key, "first_owner");
  const passwordHash = await hashPassword(password);
  await withOrgSql(key.orgId, async (q) => {
    await takeTurn(q);
    await useSetupLink(q, key, "first_owner");
    if (await hasMember()) {
      throw new AppError("conflict", "This deployment has an owner already.", { reason: "already_set_up" });
    }
    const actor = { kind: "anonymous" } as const;
    const owner = { name, email, passwordHash };
    const member = await createOrganization(q, { name: organizationName, owner, actor, address: from.address });
    await auditSql(q, {
      type: "setup.completed",
      actor,
      at: await databaseNow(q),
      personId: member,
      fields: { member },
    });
  });
  return { organizationId: key.orgId };
}
