import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { permissionsOfToken } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";
import { authenticate } from "@/server/services/identity/authenticate";
import { changeMember } from "@/server/services/identity/members/change-member";
import { createMember } from "@/server/services/identity/members/create-member";
import { linkMember } from "@/server/services/identity/members/link-member";
import { listMembers } from "@/server/services/identity/members/list-members";
import { outsiders, recorded, twoOrganizations, unique } from "@/test/db/admin/fixture";
import { fiveCases } from "@/test/support/five-cases";
import { testOrganization, testPerson, testToken } from "@/test/support/organization";

const two = twoOrganizations();
const person = (role: Role) => withOrgSql(two.ours.id, (q) => testPerson(q, role));
const email = () => `${unique("person").replace(" ", "")}@corp.example`;
const input = (role: Role = "approver") => ({ email: email(), name: "Somebody", role });

describe("member.create", () => {
  fiveCases({
    command: createMember,
    allowed: async () => ({
      actor: two.ours.admin.actor,
      input: input(),
      check: (answer) =>
        expect(answer).toMatchObject({
          role: "approver",
          isInvited: true,
          link: expect.stringContaining("/invitation#"),
        }),
    }),
    invalid: async () => ({ actor: two.ours.admin.actor, input: { ...input(), email: "nonsense" }, field: "email" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: input() }),
    otherOrganization: null,
    conflict: async () => ({
      actor: two.ours.admin.actor,
      input: { ...input(), email: two.ours.member.email.toUpperCase() },
      reason: "already_exists",
    }),
  });

  it("keeps the address and the name out of the log's text", async () => {
    const made = await createMember(two.ours.owner.actor, { ...input(), name: "Very Private" });
    const [entry] = (await recorded(two.ours.id, "member.created")).filter((e) => e.document.fields.member === made.id);
    expect(JSON.stringify(entry)).not.toMatch(/Very Private|corp\.example/);
  });

  it("lets owners alone make owners and admins", async () => {
    for (const role of ["owner", "admin"] as const) {
      await expect(createMember(two.ours.admin.actor, input(role))).rejects.toMatchObject({ reason: "owner_only" });
      expect(await createMember(two.ours.owner.actor, input(role))).toMatchObject({ role });
    }
  });

  it("lets no token make somebody who may do more than the token", async () => {
    const narrow: MemberActor = {
      ...two.ours.owner.actor,
      via: "token",
      permissions: permissionsOfToken("owner", ["read", "manage"]),
    };
    await expect(createMember(narrow, input("approver"))).rejects.toMatchObject({ reason: "beyond_own_permissions" });
    expect(await createMember(narrow, input("auditor"))).toMatchObject({ role: "auditor" });
  });
});

describe("member.list", () => {
  fiveCases({
    command: listMembers,
    allowed: async () => ({
      actor: two.ours.auditor.actor,
      input: { limit: 2 },
      check: (answer) =>
        expect(answer).toMatchObject({ items: [expect.anything(), expect.anything()], nextCursor: expect.any(String) }),
    }),
    invalid: async () => ({ actor: two.ours.admin.actor, input: { limit: 0 }, field: "limit" }),
    forbidden: async () => ({ actors: [two.ours.member.actor, two.ours.agent.actor], input: {} }),
    otherOrganization: null,
    conflict: null,
  });
});

describe("member.change", () => {
  fiveCases({
    command: changeMember,
    allowed: async () => ({
      actor: two.ours.admin.actor,
      input: { id: (await person("member")).id, role: "approver", name: "Renamed" },
      check: (answer) => expect(answer).toMatchObject({ role: "approver", name: "Renamed", version: 2 }),
    }),
    invalid: async () => ({
      actor: two.ours.admin.actor,
      input: { id: (await person("member")).id, role: "king" },
      field: "role",
    }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { id: (await person("member")).id, role: "approver" },
    }),
    otherOrganization: async () => ({
      actor: two.theirs.owner.actor,
      input: { id: (await person("member")).id, role: "approver" },
    }),
    conflict: async () => ({
      actor: two.ours.admin.actor,
      input: { id: (await person("member")).id, role: "approver", version: 7 },
      reason: "stale_version",
    }),
  });

  it("lets admins change neither owners nor admins, nor raise anybody to one", async () => {
    const [admin, approver] = [await person("admin"), await person("approver")];
    const { actor } = two.ours.admin;
    await expect(changeMember(actor, { id: admin.id, role: "member" })).rejects.toMatchObject({ reason: "owner_only" });
    await expect(changeMember(actor, { id: two.ours.owner.id, isDisabled: true })).rejects.toMatchObject({
      reason: "owner_only",
    });
    await expect(changeMember(actor, { id: approver.id, role: "owner" })).rejects.toMatchObject({
      reason: "owner_only",
    });
    await expect(changeMember(actor, { id: actor.memberId, role: "owner" })).rejects.toMatchObject({
      reason: "owner_only",
    });
    await expect(linkMember(actor, { id: two.ours.owner.id })).rejects.toMatchObject({ reason: "owner_only" });
  });

  it("ends every way in of whoever is disabled", async () => {
    const approver = await person("approver");
    const token = await testToken(approver, ["read"]);
    const presented = { authorization: `Bearer ${token}`, cookie: null };
    expect(await authenticate(presented)).toMatchObject({ memberId: approver.id });
    await changeMember(two.ours.admin.actor, { id: approver.id, isDisabled: true });
    await expect(authenticate(presented)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(linkMember(two.ours.admin.actor, { id: approver.id })).rejects.toMatchObject({
      reason: "member_disabled",
    });
    await changeMember(two.ours.admin.actor, { id: approver.id, isDisabled: false });
    await expect(authenticate(presented)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("lets nobody disable themselves", async () => {
    await expect(changeMember(two.ours.admin.actor, { id: two.ours.admin.id, isDisabled: true })).rejects.toMatchObject(
      { code: "forbidden" },
    );
    const second = await person("owner");
    await expect(changeMember(second.actor, { id: second.id, isDisabled: true })).rejects.toMatchObject({
      reason: "own_account",
    });
    await changeMember(two.ours.owner.actor, { id: second.id, role: "member" });
  });

  it("never removes the last owner, even when two owners demote each other at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const organization = await testOrganization();
      const second = await withOrgSql(organization.id, (q) => testPerson(q, "owner"));
      const settled = await Promise.allSettled([
        changeMember(organization.owner.actor, { id: second.id, role: "admin" }),
        changeMember(second.actor, { id: organization.owner.id, role: "admin" }),
      ]);
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const { rows } = await withOrgSql(organization.id, (q) =>
        q.query("SELECT 1 FROM member WHERE role = 'owner' AND disabled_at IS NULL"),
      );
      expect(rows).toHaveLength(1);
    }
    const { owner } = await testOrganization();
    await expect(changeMember(owner.actor, { id: owner.id, role: "admin" })).rejects.toMatchObject({
      reason: "last_owner",
    });
  });
});

describe("member.link", () => {
  fiveCases({
    command: linkMember,
    allowed: async () => ({ actor: two.ours.admin.actor, input: { id: (await person("approver")).id } }),
    invalid: async () => ({ actor: two.ours.admin.actor, input: { id: "mem_1" }, field: "id" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: two.ours.member.id } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: two.ours.member.id } }),
    conflict: null,
  });
});
