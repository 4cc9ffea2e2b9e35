import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { authenticate, signInActor } from "@/server/services/identity/authenticate";
import { signIn } from "@/server/services/identity/sign-in";
import { encodeSignIn, signInCookieName } from "@/server/services/identity/sign-in-cookie";
import { signOut } from "@/server/services/identity/sign-out";
import { recorded, twoOrganizations } from "@/test/db/admin/fixture";
import { TEST_PASSWORD, type TestPerson, testPerson } from "@/test/support/organization";

const two = twoOrganizations();
const WRONG = "not the right password";

let host = 0;
/** A caller of its own, so that the limit by address is not what a test meets. */
const from = () => {
  host += 1;
  return { address: `203.0.113.${host}`, userAgent: "Test/1.0" };
};
const someone = (): Promise<TestPerson> => withOrgSql(two.ours.id, (q) => testPerson(q, "approver"));
const cookie = (claims: Awaited<ReturnType<typeof signIn>>) =>
  `theme=dark; ${signInCookieName()}=${encodeSignIn(claims)}`;
const set = (person: TestPerson, assignment: string) =>
  withOrgSql(two.ours.id, (q) => q.query(`UPDATE member SET ${assignment} WHERE id = $1`, [person.id]));

describe("signing in", () => {
  it("makes a row that the cookie points to, and the cookie stands for the person", async () => {
    const person = await someone();
    const claims = await signIn({ email: person.email.toUpperCase(), password: TEST_PASSWORD }, from());
    expect(await signInActor(cookie(claims))).toMatchObject({
      kind: "member",
      memberId: person.id,
      orgId: two.ours.id,
      role: "approver",
      via: "sign_in",
      credentialId: claims.sid,
    });
    const [entry] = (await recorded(two.ours.id, "sign_in.succeeded")).slice(-1);
    expect(JSON.stringify(entry)).toContain(claims.sid);
    expect(JSON.stringify(entry)).not.toContain("203.0.113");
  });

  it("gives one answer for an unknown address, a wrong password, a locked and a disabled account", async () => {
    const [known, disabled, locked] = [await someone(), await someone(), await someone()];
    await set(disabled, "disabled_at = now()");
    await set(locked, "locked_until = now() + interval '5 minutes'");
    const attempts = [
      { email: "nobody@people.example", password: WRONG },
      { email: "not an address", password: WRONG },
      { email: known.email, password: WRONG },
      { email: disabled.email, password: TEST_PASSWORD },
      { email: locked.email, password: TEST_PASSWORD },
      { email: known.email, password: TEST_PASSWORD, organizationId: two.theirs.id },
    ];
    const answers = await Promise.all(attempts.map((attempt) => signIn(attempt, from()).catch((error) => error)));
    for (const answer of answers) {
      expect(answer).toMatchObject({ code: "unauthenticated", reason: "sign_in_refused", message: answers[0].message });
    }
  });

  it("takes no less time for an unknown address than for a wrong password", async () => {
    const person = await someone();
    const timed = async (email: string) => {
      const start = performance.now();
      await signIn({ email, password: WRONG }, from()).catch(() => {});
      return performance.now() - start;
    };
    expect(await timed("nobody@people.example")).toBeGreaterThanOrEqual(249);
    expect(await timed(person.email)).toBeGreaterThanOrEqual(249);
  });

  it("locks after five failures for fifteen minutes, and judges no more than five of forty at once", async () => {
    const person = await someone();
    const attempt = (password: string) => signIn({ email: person.email, password }, from());
    // The limit by e-mail address lets ten of them through to the lock.
    const refusals = await Promise.allSettled(Array.from({ length: 40 }, () => attempt(WRONG)));
    expect(refusals.every(({ status }) => status === "rejected")).toBe(true);
    const failed = (await recorded(two.ours.id, "sign_in.failed")).filter(
      (e) => e.document.fields.member === person.id,
    );
    expect(failed).toHaveLength(5);
    expect(
      (await recorded(two.ours.id, "sign_in.locked")).filter((e) => e.document.fields.member === person.id),
    ).toHaveLength(1);
    const { rows } = await withOrgSql(two.ours.id, (q) =>
      q.query<{ minutes: number }>(
        "SELECT extract(epoch FROM locked_until - now())::float8 / 60 AS minutes FROM member WHERE id = $1",
        [person.id],
      ),
    );
    expect(rows[0]?.minutes).toBeGreaterThan(14);
    expect(rows[0]?.minutes).toBeLessThanOrEqual(15);
  });

  it("refuses the right password while locked, and counts anew once the lock has ended", async () => {
    const person = await someone();
    const attempt = (password: string) => signIn({ email: person.email, password }, from());
    for (let count = 0; count < 5; count += 1)
      await expect(attempt(WRONG)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(attempt(TEST_PASSWORD)).rejects.toMatchObject({ code: "unauthenticated" });
    await set(person, "locked_until = now() - interval '1 second'");
    await expect(attempt(WRONG)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await attempt(TEST_PASSWORD)).toMatchObject({ org: two.ours.id });
  });

  it("lets nobody guess on from one address, or at one e-mail address, whether it exists or not", async () => {
    const origin = from();
    const tries = Array.from({ length: 21 }, (_, n) =>
      signIn({ email: `n${n}@people.example`, password: WRONG }, origin),
    );
    const codes = (await Promise.allSettled(tries)).map((result) =>
      result.status === "rejected" ? result.reason.code : "in",
    );
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(1);
    const same = Array.from({ length: 11 }, () => signIn({ email: "target@people.example", password: WRONG }, from()));
    const limited = (await Promise.allSettled(same)).filter(
      (r) => r.status === "rejected" && r.reason.code === "rate_limited",
    );
    expect(limited).toHaveLength(1);
    expect(limited[0]).toMatchObject({ reason: { reason: "too_many_attempts" } });
  });

  it("does not count rightful attempts against an address", async () => {
    const [origin, person] = [from(), await someone()];
    for (let count = 0; count < 25; count += 1) {
      expect(await signIn({ email: person.email, password: TEST_PASSWORD }, origin)).toMatchObject({
        org: two.ours.id,
      });
    }
  });

  it("keeps at most twenty sign-ins of a person", async () => {
    const person = await someone();
    for (let count = 0; count < 22; count += 1) await signIn({ email: person.email, password: TEST_PASSWORD }, from());
    const { rows } = await withOrgSql(two.ours.id, (q) =>
      q.query("SELECT 1 FROM sign_in WHERE member_id = $1 AND revoked_at IS NULL", [person.id]),
    );
    expect(rows).toHaveLength(20);
    const ended = (await recorded(two.ours.id, "sign_in.revoked")).filter(
      ({ document }) => document.fields.member === person.id,
    );
    expect(ended.map(({ document }) => document.fields.why)).toEqual(["too_many", "too_many"]);
  });
});

describe("a sign-in", () => {
  const signedIn = async () => {
    const person = await someone();
    return { person, claims: await signIn({ email: person.email, password: TEST_PASSWORD }, from()) };
  };
  const setSignIn = (sid: string, assignment: string) =>
    withOrgSql(two.ours.id, (q) => q.query(`UPDATE sign_in SET ${assignment} WHERE id = $1`, [sid]));

  it("ends when the person signs out, on record, and cannot be ended without its secret", async () => {
    const { claims } = await signedIn();
    await signOut({ ...claims, secret: "x".repeat(43) });
    expect(await signInActor(cookie(claims))).not.toBeNull();
    await signOut(claims);
    await signOut(claims);
    expect(await signInActor(cookie(claims))).toBeNull();
    const ended = (await recorded(two.ours.id, "sign_in.ended")).filter((e) => e.document.fields.signIn === claims.sid);
    expect(ended).toHaveLength(1);
  });

  it("ends after twelve hours, after two idle ones, when revoked, and when the person is disabled", async () => {
    for (const end of [
      "expires_at = now() - interval '1 second'",
      "last_seen_at = now() - interval '121 minutes'",
      "revoked_at = now()",
    ]) {
      const { claims } = await signedIn();
      await setSignIn(claims.sid, end);
      expect(await signInActor(cookie(claims)), end).toBeNull();
    }
    const { person, claims } = await signedIn();
    await set(person, "disabled_at = now()");
    expect(await signInActor(cookie(claims))).toBeNull();
  });

  it("has the role that the database holds at that moment", async () => {
    const { person, claims } = await signedIn();
    await set(person, "role = 'member'");
    const actor = await signInActor(cookie(claims));
    expect(actor?.role).toBe("member");
    expect(actor?.permissions.has("approval:decide")).toBe(false);
  });

  it("is not proved by a cookie that another key signed, was changed, or comes twice", async () => {
    const { claims } = await signedIn();
    const token = encodeSignIn(claims);
    const [header, payload, signature] = token.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const name = signInCookieName();
    const forged = [
      `${name}=${none}.${payload}.`,
      `${name}=${none}.${payload}.${signature}`,
      `${name}=${header}.${Buffer.from(JSON.stringify({ ...claims, org: two.theirs.id })).toString("base64url")}.${signature}`,
      `${name}=${encodeSignIn({ ...claims, org: two.theirs.id })}`,
      `${name}=${encodeSignIn({ ...claims, secret: "y".repeat(43) })}`,
      `${name}=${token}x`,
      `${name}=${token}; ${name}=${token}`,
      `${name}=`,
      "",
    ];
    for (const text of forged) expect(await signInActor(text), text.slice(0, 40)).toBeNull();
    expect(await authenticate({ authorization: null, cookie: `${name}=${token}` })).not.toBeNull();
  });

  it("is limited in its calls like every credential", async () => {
    const { claims } = await signedIn();
    await withOrgSql(two.ours.id, (q) =>
      q.query(
        "INSERT INTO rate_bucket (org_id, bucket, tokens, updated_at) VALUES ($1, $2, 0, now() + interval '1 minute')",
        [two.ours.id, claims.sid],
      ),
    );
    await expect(signInActor(cookie(claims))).rejects.toMatchObject({
      code: "rate_limited",
      details: { retryAfterS: 1 },
    });
  });
});
