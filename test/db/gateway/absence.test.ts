import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { endAbsence, endAbsenceFor } from "@/server/services/absences/end";
import { getOwnAbsence, listAbsences } from "@/server/services/absences/list";
import { setAbsence, setAbsenceFor } from "@/server/services/absences/set";
import { giveRight } from "@/server/services/approval-rights/give";
import { peopleCalled } from "@/server/services/approvals/called";
import { getApproval } from "@/server/services/approvals/get";
import { recipientsOf } from "@/server/services/notices/recipients";
import { outsiders, recorded } from "@/test/db/admin/fixture";
import { fiveCases } from "@/test/support/five-cases";
import { type TestPerson, testOrganization, testPerson } from "@/test/support/organization";
import { gatewayFixture, reasonOf } from "./fixture";

const { org, submit, approve } = gatewayFixture();

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const until = () => inHours(24);
const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));
const called = async (id: string) =>
  (await withOrgSql(org().id, (q) => peopleCalled(q, id, { stage: "approver", alone: false }))).map((one) => one.id);
const set = (who: TestPerson, delegate: TestPerson) => setAbsence(who.actor, { until: until(), delegate: delegate.id });
const invalidField = (work: Promise<unknown>) =>
  work.then(
    () => "it did not fail",
    (error: { details: { field?: string } }) => error.details.field,
  );

describe("absence.set", () => {
  fiveCases({
    command: setAbsence,
    allowed: async () => ({
      actor: org().approver.actor,
      input: { until: until(), delegate: org().admin.id },
      check: async (absence) => {
        expect(absence).toMatchObject({ isOut: true, isStandingIn: true, delegate: { id: org().admin.id } });
        expect((await listAbsences(org().auditor.actor, {})).items).toEqual([absence]);
        expect((await getOwnAbsence(org().approver.actor, {})).absence).toEqual(absence);
        const [entry] = await recorded(org().id, "absence.set");
        expect(entry?.document.fields).toMatchObject({ member: org().approver.id, delegate: org().admin.id });
      },
    }),
    invalid: async () => ({
      actor: org().approver.actor,
      input: { until: "tomorrow", delegate: org().admin.id },
      field: "until",
    }),
    forbidden: async () => ({ actors: [org().agent.actor], input: { until: until(), delegate: org().admin.id } }),
    otherOrganization: async () => {
      const other = await testOrganization();
      return {
        actor: org().approver.actor,
        input: { until: until(), delegate: other.admin.id },
        code: "invalid",
      };
    },
    conflict: async () => {
      await set(org().approver, org().admin);
      return {
        actor: org().approver.actor,
        input: { until: until(), delegate: org().owner.id },
        reason: "already_away",
      };
    },
  });

  it("takes a delegate who may decide at least as much, and no other", async () => {
    const { approver, admin, owner, member, auditor, agentOwner } = org();
    for (const wrong of [approver, member, auditor]) expect(await invalidField(set(approver, wrong))).toBe("delegate");
    expect(await invalidField(set(admin, approver))).toBe("delegate");
    expect(await invalidField(set(owner, admin))).toBe("delegate");
    expect(await set(approver, agentOwner)).toMatchObject({ isStandingIn: true });
    await sql("UPDATE member SET disabled_at = now() WHERE id = $1", [owner.id]);
    expect(await invalidField(set(admin, owner))).toBe("delegate");
    expect(await reasonOf(set(auditor, admin))).toBe("decides_nothing");
  });

  it("compares rights by what they cover", async () => {
    const { member, admin } = org();
    const other = await withOrgSql(org().id, (q) => testPerson(q, "member"));
    const give = (person: TestPerson, maxRisk: "low" | "medium", actions: string[] | null) =>
      giveRight(admin.actor, { member: person.id, maxRisk, departments: null, connections: null, actions });
    expect(await reasonOf(set(member, admin))).toBe("decides_nothing");
    await give(member, "low", ["test.final"]);
    expect(await invalidField(set(member, other))).toBe("delegate");
    await give(other, "medium", ["test.write"]);
    expect(await invalidField(set(member, other))).toBe("delegate");
    await give(other, "medium", null);
    expect(await set(member, other)).toMatchObject({ isStandingIn: true });
    expect(await invalidField(set(other, member))).toBe("delegate");
    expect(await set(other, admin)).toMatchObject({ isStandingIn: true });
  });

  it("lasts sixty days at most, begins within half a year and ends after it begins", async () => {
    const { approver, admin } = org();
    const wrong = async (times: { from?: string; until: string }) =>
      invalidField(setAbsence(approver.actor, { ...times, delegate: admin.id }));
    expect(await wrong({ until: inHours(60 * 24 + 1) })).toBe("until");
    expect(await wrong({ until: inHours(-1) })).toBe("until");
    expect(await wrong({ from: inHours(48), until: inHours(24) })).toBe("until");
    expect(await wrong({ from: inHours(181 * 24), until: inHours(182 * 24) })).toBe("from");
    const longer = sql(
      `INSERT INTO absence (id, org_id, member_id, delegate_id, starts_at, ends_at, set_by)
       VALUES ('abs_1', app.org_id(), $1, $2, now(), now() + interval '61 days', $1)`,
      [approver.id, admin.id],
    );
    await expect(longer).rejects.toThrow("absence_length_check");
  });

  it("is set once, however many set it at once, and again once it is over", async () => {
    const { approver, admin } = org();
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => set(approver, admin)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await recorded(org().id, "absence.set")).toHaveLength(1);
    await endAbsence(approver.actor, {});
    expect(await reasonOf(endAbsence(approver.actor, {}))).toBe("absence_over");
    expect(await set(approver, admin)).toMatchObject({ isOut: true });
    expect(await recorded(org().id, "absence.ended")).toHaveLength(1);
  });
});

describe("absence.set_for", () => {
  fiveCases({
    command: setAbsenceFor,
    allowed: async () => ({
      actor: org().admin.actor,
      input: { member: org().approver.id, until: until(), delegate: org().owner.id },
      check: (absence) => expect(absence).toMatchObject({ setBy: { id: org().admin.id } }),
    }),
    invalid: async () => ({
      actor: org().admin.actor,
      input: { member: org().approver.id, until: until(), delegate: "mem_1" },
      field: "delegate",
    }),
    forbidden: async () => ({
      actors: outsiders(org()),
      input: { member: org().approver.id, until: until(), delegate: org().owner.id },
    }),
    otherOrganization: async () => {
      const other = await testOrganization();
      return {
        actor: other.owner.actor,
        input: { member: org().approver.id, until: until(), delegate: other.admin.id },
      };
    },
    conflict: async () => ({
      actor: org().admin.actor,
      input: { member: org().auditor.id, until: until(), delegate: org().owner.id },
      reason: "decides_nothing",
    }),
  });

  it("is for nobody of a higher role to be sent out by", async () => {
    const { admin, owner } = org();
    const other = await withOrgSql(org().id, (q) => testPerson(q, "owner"));
    const sent = setAbsenceFor(admin.actor, { member: owner.id, until: until(), delegate: other.id });
    expect(await reasonOf(sent)).toBe("owner_only");
    const { id } = await set(owner, other);
    expect(await reasonOf(endAbsenceFor(admin.actor, { id }))).toBe("owner_only");
    expect(await endAbsenceFor(other.actor, { id })).toEqual({ id });
  });
});

describe("while somebody is out", () => {
  it("who stands in is told in their place and shown, and power stays where it was", async () => {
    const { approver, admin, member } = org();
    await set(approver, admin);
    const answer = await submit("test.final");
    const id = answer.approval?.id ?? "";
    expect(await called(id)).toEqual([admin.id]);
    const about = { kind: "approval_reminder", subjectId: id } as const;
    expect(await withOrgSql(org().id, (q) => recipientsOf(q, about))).toEqual([admin.id]);
    const view = await getApproval(admin.actor, { id });
    const shown = view.whoCould?.people.find((person) => person.id === approver.id);
    expect(shown?.away?.standIn).toEqual({ id: admin.id, name: "Some admin" });
    expect(view.whoCould?.people.find((person) => person.id === member.id)).toBeUndefined();
    // Who is out may still decide; it is not expected of them.
    expect(await approve(answer, approver)).toMatchObject({ status: "approved" });
  });

  it("a delegate who lost the role since stands in no more", async () => {
    const { approver, admin, agentOwner } = org();
    const { id: absence } = await set(approver, admin);
    await sql("UPDATE member SET role = 'member' WHERE id = $1", [admin.id]);
    const id = (await submit("test.final")).approval?.id ?? "";
    expect(await called(id)).toEqual([approver.id]);
    expect((await listAbsences(org().auditor.actor, {})).items).toMatchObject([{ id: absence, isStandingIn: false }]);
    const view = await getApproval(agentOwner.actor, { id });
    expect(view.whoCould?.people.find((person) => person.id === approver.id)?.away?.standIn).toBeNull();
  });

  it("a delegate who counts as having asked is not told in anybody's place", async () => {
    const { approver, agentOwner } = org();
    await set(approver, agentOwner);
    const id = (await submit("test.final")).approval?.id ?? "";
    expect(await called(id)).not.toContain(agentOwner.id);
    expect(await called(id)).toContain(approver.id);
  });

  it("nobody is out before it begins or once it is over", async () => {
    const { approver, admin } = org();
    const id = (await submit("test.final")).approval?.id ?? "";
    await setAbsence(approver.actor, { from: inHours(2), until: until(), delegate: admin.id });
    expect(await called(id)).toEqual([approver.id]);
    await endAbsence(approver.actor, {});
    await set(approver, admin);
    expect(await called(id)).toEqual([admin.id]);
    await endAbsence(approver.actor, {});
    expect(await called(id)).toEqual([approver.id]);
  });
});
