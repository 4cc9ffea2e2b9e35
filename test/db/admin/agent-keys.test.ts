import { describe, expect, it } from "vitest";
import { hot } from "@/server/db/hot";
import { withOrgSql } from "@/server/db/with-org";
import { parseKey } from "@/server/domain/key-format";
import { createAgent } from "@/server/services/agents/create";
import { issueAgentKey } from "@/server/services/agents/issue-key";
import { listAgentKeys } from "@/server/services/agents/list-keys";
import { revokeAgentKey } from "@/server/services/agents/revoke-key";
import { hashSecret } from "@/server/services/identity/keys";
import { fiveCases } from "@/test/support/five-cases";
import { recorded, twoOrganizations, unique } from "./fixture";

const two = twoOrganizations();
const DAY_MS = 86_400_000;
const admin = () => two.ours.admin.actor;
const make = () => createAgent(admin(), { name: unique("agent"), ownerId: two.ours.agentOwner.id });

async function admits(text: string): Promise<boolean> {
  const key = parseKey(text);
  if (!key) return false;
  const [row] = await hot.admitAgent(key.orgId, key.id, hashSecret(key.secret));
  return row?.admitted !== null;
}

describe("agent_key.issue", () => {
  fiveCases({
    command: issueAgentKey,
    allowed: async () => {
      const { id } = await make();
      return {
        actor: two.ours.agentOwner.actor,
        input: { id },
        check: async (answer) => {
          const { key, expiresAt, id: keyId } = answer as { id: string; key: string; expiresAt: Date };
          expect(Math.round((expiresAt.getTime() - Date.now()) / DAY_MS)).toBe(90);
          expect(await admits(key)).toBe(true);
          const [entry] = (await recorded(two.ours.id, "agent_key.issued")).slice(-1);
          expect(entry?.document.fields).toEqual({ key: keyId, expiresAt: expiresAt.toISOString() });
        },
      };
    },
    invalid: async () => ({
      actor: admin(),
      input: { id: (await make()).id, expiresInDays: 366 },
      field: "expiresInDays",
    }),
    forbidden: async () => ({
      actors: [two.ours.approver.actor, two.ours.member.actor, two.ours.auditor.actor, two.ours.agent.actor],
      input: { id: (await make()).id },
    }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: async () => {
      const { id } = await make();
      await issueAgentKey(admin(), { id });
      await issueAgentKey(admin(), { id });
      return { actor: admin(), input: { id }, reason: "two_keys_valid" };
    },
  });

  it("leaves at most two valid of twenty issued at once", async () => {
    const { id } = await make();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => issueAgentKey(admin(), { id })));
    const kept = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(kept).toHaveLength(2);
    const { items } = await listAgentKeys(admin(), { id });
    expect(
      items
        .filter(({ isValid }) => isValid)
        .map((key) => key.id)
        .sort(),
    ).toEqual(kept.map((key) => key.id).sort());
  });

  it("has room again once a key is revoked or has expired", async () => {
    const { id } = await make();
    const first = await issueAgentKey(admin(), { id });
    const second = await issueAgentKey(admin(), { id });
    await revokeAgentKey(admin(), { id, keyId: first.id });
    await issueAgentKey(admin(), { id });
    await withOrgSql(two.ours.id, (q) =>
      q.query("UPDATE agent_key SET expires_at = clock_timestamp() WHERE id = $1", [second.id]),
    );
    await issueAgentKey(admin(), { id });
    expect(await admits(first.key)).toBe(false);
    expect(await admits(second.key)).toBe(false);
  });
});

describe("agent_key.revoke", () =>
  fiveCases({
    command: revokeAgentKey,
    allowed: async () => {
      const { id } = await make();
      const { id: keyId, key } = await issueAgentKey(admin(), { id });
      return {
        actor: two.ours.agentOwner.actor,
        input: { id, keyId },
        check: async () => expect(await admits(key)).toBe(false),
      };
    },
    invalid: async () => ({ actor: admin(), input: { id: (await make()).id, keyId: "key_1" }, field: "keyId" }),
    forbidden: async () => {
      const { id } = await make();
      const { id: keyId } = await issueAgentKey(admin(), { id });
      return { actors: [two.ours.approver.actor, two.ours.member.actor, two.ours.agent.actor], input: { id, keyId } };
    },
    otherOrganization: async () => {
      const { id } = await make();
      const { id: keyId } = await issueAgentKey(admin(), { id });
      return { actor: two.theirs.owner.actor, input: { id, keyId } };
    },
    conflict: async () => {
      const { id } = await make();
      const { id: keyId } = await issueAgentKey(admin(), { id });
      await revokeAgentKey(admin(), { id, keyId });
      return { actor: admin(), input: { id, keyId }, reason: "already_revoked" };
    },
  }));

describe("agent_key.list", () => {
  it("tells who issued a key and when it was last used, and never the key or its hash", async () => {
    const { id } = await make();
    const { id: keyId, key } = await issueAgentKey(two.ours.agentOwner.actor, { id });
    await admits(key);
    const { items } = await listAgentKeys(two.ours.member.actor, { id });
    expect(items).toMatchObject([
      { id: keyId, issuedBy: two.ours.agentOwner.id, lastUsedAt: expect.any(Date), revokedAt: null, isValid: true },
    ]);
    const shown = JSON.stringify(items);
    expect(shown).not.toContain(parseKey(key)?.secret);
    expect(shown).not.toMatch(/hash/i);
  });
});
