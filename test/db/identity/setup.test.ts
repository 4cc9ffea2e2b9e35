import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { acceptInvitation } from "@/server/services/identity/accept-invitation";
import { completeSetup, createFirstOwnerLink } from "@/server/services/identity/first-owner";
import { createMember } from "@/server/services/identity/members/create-member";
import { signIn } from "@/server/services/identity/sign-in";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { testOrganization } from "@/test/support/organization";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await closePrisma();
  await closePools();
  await database.drop();
});

const from = { address: "", userAgent: "" };
const PASSWORD = "a rather long password";
const tokenIn = (url: string | undefined) => url?.split("#")[1] ?? "";
const setup = (token: string, email: string) =>
  completeSetup({ token, organizationName: "Acme", name: "Olga", email, password: PASSWORD }, from);

describe("the first owner", () => {
  it("comes by a one-time link: the last one made, once, and of several at once one wins", async () => {
    const [early, ...links] = [await createFirstOwnerLink(), await createFirstOwnerLink()];
    const [link] = links;
    expect(link?.url).toMatch(/^http:\/\/localhost:3000\/setup#csk_setup_/);
    await expect(setup(tokenIn(early?.url), "early@corp.example")).rejects.toMatchObject({ reason: "link_not_valid" });
    await expect(setup("csk_setup_nonsense", "x@corp.example")).rejects.toMatchObject({ reason: "link_not_valid" });
    const racers = Array.from({ length: 6 }, (_, n) => setup(tokenIn(link?.url), `racer${n}@corp.example`));
    const settled = await Promise.allSettled(racers);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const winner = settled.findIndex(({ status }) => status === "fulfilled");
    const claims = await signIn({ email: `racer${winner}@corp.example`, password: PASSWORD }, from);
    const count = async (table: string) =>
      withOrgSql(claims.org, async (q) => (await q.query(`SELECT 1 FROM ${table}`)).rowCount);
    for (const table of ["organization", "member", "control_state", "rule_set", "budget"])
      expect(await count(table), table).toBe(1);
    const types = await withOrgSql(claims.org, (q) =>
      q.query<{ type: string }>("SELECT type FROM audit_event ORDER BY created_at, id"),
    );
    expect(types.rows.map(({ type }) => type)).toEqual([
      "organization.created",
      "member.created",
      "budget.created",
      "setup.completed",
      "sign_in.succeeded",
    ]);
  });

  it("is the only one: no further link is made, and an open one leads nowhere", async () => {
    expect(await createFirstOwnerLink()).toBeNull();
  });
});

describe("an invitation", () => {
  const invite = async () => {
    const organization = await testOrganization();
    const made = await createMember(organization.owner.actor, {
      email: `new${Date.now()}${Math.random()}@corp.example`.replace("0.", ""),
      name: "New",
      role: "admin",
    });
    return { organization, made, token: tokenIn(made.link) };
  };

  it("lets the person choose a password once, and sign in with it", async () => {
    const { made, token } = await invite();
    expect(made).toMatchObject({ isInvited: true, role: "admin" });
    await expect(signIn({ email: made.email, password: PASSWORD }, from)).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(acceptInvitation({ token, password: "short" }, from)).rejects.toMatchObject({ code: "invalid" });
    expect(await acceptInvitation({ token, password: PASSWORD }, from)).toEqual({ email: made.email });
    expect(await signIn({ email: made.email, password: PASSWORD }, from)).toMatchObject({ org: expect.any(String) });
    await expect(acceptInvitation({ token, password: PASSWORD }, from)).rejects.toMatchObject({
      reason: "link_not_valid",
    });
  });

  it("is good for a day and not after", async () => {
    const { organization, made, token } = await invite();
    expect(made.linkExpiresAt.getTime() - Date.now()).toBeLessThanOrEqual(24 * 3_600_000 + 5_000);
    await withOrgSql(organization.id, (q) =>
      q.query("UPDATE setup_link SET expires_at = now() WHERE member_id = $1", [made.id]),
    );
    await expect(acceptInvitation({ token, password: PASSWORD }, from)).rejects.toMatchObject({
      reason: "link_not_valid",
    });
  });

  it("cannot be used as the first owner's link, nor by a key of another kind", async () => {
    const { organization, token } = await invite();
    await expect(setup(token, "x@corp.example")).rejects.toMatchObject({ reason: "link_not_valid" });
    await expect(acceptInvitation({ token: organization.agent.key, password: PASSWORD }, from)).rejects.toMatchObject({
      reason: "link_not_valid",
    });
  });
});
