import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { authenticate } from "@/server/services/identity/authenticate";
import { changePassword } from "@/server/services/identity/self/change-password";
import { listSignIns, revokeOtherSignIns, revokeSignIn } from "@/server/services/identity/self/sign-ins";
import { createToken, listTokens, revokeToken } from "@/server/services/identity/self/tokens";
import { signIn } from "@/server/services/identity/sign-in";
import { encodeSignIn, signInCookieName } from "@/server/services/identity/sign-in-cookie";
import { recorded, twoOrganizations } from "@/test/db/admin/fixture";
import { TEST_PASSWORD, testPerson } from "@/test/support/organization";

const two = twoOrganizations();
const from = { address: "", userAgent: "Test/1.0" };
const NEW_PASSWORD = "another long password";

async function signedIn(email?: string) {
  const address = email ?? (await withOrgSql(two.ours.id, (q) => testPerson(q, "approver"))).email;
  const claims = await signIn({ email: address, password: TEST_PASSWORD }, from);
  const presented = { authorization: null, cookie: `${signInCookieName()}=${encodeSignIn(claims)}` };
  const actor = (await authenticate(presented)) as MemberActor;
  return { email: address, actor, presented, sid: claims.sid };
}

const withToken = async (actor: MemberActor, scopes?: ("read" | "manage" | "decide")[]) => {
  const made = await createToken(actor, { name: "test", ...(scopes ? { scopes } : {}) });
  return { made, presented: { authorization: `Bearer ${made.token}`, cookie: null } };
};

describe("a personal token", () => {
  it("stands for its person with what its scopes leave of the role, reading alone unless asked", async () => {
    const { actor } = await signedIn();
    const read = await withToken(actor);
    expect(read.made.scopes).toEqual(["read"]);
    const asReader = await authenticate(read.presented);
    expect(asReader).toMatchObject({ kind: "member", via: "token", credentialId: read.made.id });
    expect(asReader?.permissions.has("approval:read")).toBe(true);
    expect(asReader?.permissions.has("approval:decide")).toBe(false);
    const decider = await authenticate((await withToken(actor, ["read", "decide"])).presented);
    expect(decider?.permissions.has("approval:decide")).toBe(true);
    expect(decider?.permissions.has("request:cancel")).toBe(false);
  });

  it("changes none of its person's own credentials, whatever its scopes", async () => {
    const { actor, sid } = await signedIn();
    const { presented, made } = await withToken(actor, ["read", "manage", "decide"]);
    const asToken = (await authenticate(presented)) as MemberActor;
    const passwords = { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD };
    for (const attempt of [
      createToken(asToken, { name: "successor" }),
      revokeToken(asToken, { id: made.id }),
      revokeSignIn(asToken, { id: sid }),
      revokeOtherSignIns(asToken, {}),
      changePassword(asToken, passwords),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: "forbidden", details: { reason: "not_permitted" } });
    }
  });

  it("is shown once, stored hashed, and its use is seen", async () => {
    const { actor } = await signedIn();
    const { made, presented } = await withToken(actor);
    await authenticate(presented);
    const { items } = await listTokens(actor, {});
    expect(items).toEqual([expect.objectContaining({ id: made.id, lastUsedAt: expect.any(Date), revokedAt: null })]);
    expect(JSON.stringify(items)).not.toContain(made.token.slice(70, 100));
    const { rows } = await withOrgSql(two.ours.id, (q) =>
      q.query("SELECT * FROM personal_token WHERE id = $1", [made.id]),
    );
    expect(JSON.stringify(rows)).not.toContain(made.token.split("_")[3] ?? "?");
  });

  it("ends when revoked, when it expires, and is unknown with a wrong secret or in another organization", async () => {
    const { actor } = await signedIn();
    const { made, presented } = await withToken(actor);
    await revokeToken(actor, { id: made.id });
    await expect(authenticate(presented)).rejects.toMatchObject({
      code: "unauthenticated",
      reason: "invalid_credential",
    });
    await expect(revokeToken(actor, { id: made.id })).rejects.toMatchObject({ code: "not_found" });
    const other = await withToken(actor);
    await withOrgSql(two.ours.id, (q) =>
      q.query("UPDATE personal_token SET expires_at = now() WHERE id = $1", [other.made.id]),
    );
    await expect(authenticate(other.presented)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("belongs to its person: another cannot end it", async () => {
    const [one, another] = [await signedIn(), await signedIn()];
    const { made } = await withToken(one.actor);
    await expect(revokeToken(another.actor, { id: made.id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("lives for a year at most, names each scope once, and there are twenty at most, exactly", async () => {
    const { actor } = await signedIn();
    await expect(createToken(actor, { name: "x", expiresInDays: 366 })).rejects.toMatchObject({
      details: { field: "expiresInDays" },
    });
    await expect(createToken(actor, { name: "x", scopes: ["read", "read"] })).rejects.toMatchObject({
      details: { field: "scopes" },
    });
    await expect(createToken(actor, { name: "x", scopes: [] })).rejects.toMatchObject({ code: "invalid" });
    const settled = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => createToken(actor, { name: `t${n}` })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    const refused = settled.find((result) => result.status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "conflict", details: { reason: "too_many_tokens" } } });
  });
});

describe("a call", () => {
  it("with two credentials is refused", async () => {
    const { actor, presented } = await signedIn();
    const { presented: bearer } = await withToken(actor);
    const both = { authorization: bearer.authorization, cookie: presented.cookie };
    await expect(authenticate(both)).rejects.toMatchObject({ code: "invalid", reason: "two_credentials" });
    const twice = { authorization: bearer.authorization, cookie: `${presented.cookie}; ${presented.cookie}` };
    await expect(authenticate(twice)).rejects.toMatchObject({ reason: "two_credentials" });
    const listed = { authorization: `${bearer.authorization}, Bearer x`, cookie: null };
    await expect(authenticate(listed)).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("one's own sign-ins", () => {
  it("are listed with the one in use marked, and can be ended one by one or all others at once", async () => {
    const first = await signedIn();
    const [second, third] = [await signedIn(first.email), await signedIn(first.email)];
    const { items } = await listSignIns(first.actor, {});
    expect(items.map(({ id, isCurrent }) => ({ id, isCurrent }))).toEqual([
      { id: third.sid, isCurrent: false },
      { id: second.sid, isCurrent: false },
      { id: first.sid, isCurrent: true },
    ]);
    await revokeSignIn(first.actor, { id: second.sid });
    expect(await authenticate(second.presented)).toBeNull();
    expect(await revokeOtherSignIns(first.actor, {})).toEqual({ revoked: 1 });
    expect(await authenticate(third.presented)).toBeNull();
    expect(await authenticate(first.presented)).not.toBeNull();
    const stranger = await signedIn();
    await expect(revokeSignIn(stranger.actor, { id: first.sid })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("changing one's password", () => {
  it("takes the present one, and ends every other sign-in", async () => {
    const first = await signedIn();
    const second = await signedIn(first.email);
    const change = (currentPassword: string, newPassword = NEW_PASSWORD) =>
      changePassword(first.actor, { currentPassword, newPassword });
    await expect(change("wrong")).rejects.toMatchObject({
      details: { reason: "wrong_password", field: "currentPassword" },
    });
    await expect(change(TEST_PASSWORD, "short")).rejects.toMatchObject({ details: { field: "newPassword" } });
    expect(await change(TEST_PASSWORD)).toEqual({ revoked: 1 });
    expect(await authenticate(second.presented)).toBeNull();
    expect(await authenticate(first.presented)).not.toBeNull();
    expect(await signIn({ email: first.email, password: NEW_PASSWORD }, from)).toMatchObject({ org: two.ours.id });
    const changes = (await recorded(two.ours.id, "member.changed")).filter(
      (e) => e.document.fields.member === first.actor.memberId,
    );
    expect(changes).toHaveLength(1);
  });

  it("locks after five wrong ones, so that an unattended browser cannot guess it", async () => {
    const { actor } = await signedIn();
    const change = (currentPassword: string) => changePassword(actor, { currentPassword, newPassword: NEW_PASSWORD });
    for (let count = 0; count < 5; count += 1) await expect(change("wrong")).rejects.toMatchObject({ code: "invalid" });
    await expect(change(TEST_PASSWORD)).rejects.toMatchObject({
      code: "rate_limited",
      details: { reason: "account_locked" },
    });
  });
});
