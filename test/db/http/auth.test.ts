import { describe, expect, it } from "vitest";
import { overrideEnv } from "@/server/env";
import { handleAuth } from "@/server/http/auth";
import { signInActor } from "@/server/services/identity/authenticate";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { TEST_PASSWORD } from "@/test/support/organization";

const two = twoOrganizations();
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** A browser: keeps cookies, sends them, and says where it comes from. */
function browser(origin = "http://localhost:3000") {
  const jar = new Map<string, string>();
  const attributes = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await handleAuth(
      new Request(`${origin}/api/auth/${path}`, { ...init, headers: { cookie, origin, ...init.headers } }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...rest] = line.split("; ");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      attributes.set(name, rest.filter((part) => !part.startsWith("Expires")).join("; "));
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const csrf = async () => ((await (await send("csrf")).json()) as { csrfToken: string }).csrfToken;
  const form = async (path: string, fields: Record<string, string>) =>
    send(path, {
      method: "POST",
      headers: FORM,
      body: new URLSearchParams({ ...fields, csrfToken: await csrf(), json: "true" }),
    });
  const signIn = (email: string, password = TEST_PASSWORD) => form("callback/credentials", { email, password });
  const actor = () => signInActor([...jar].map(([name, value]) => `${name}=${value}`).join("; "));
  return { jar, attributes, send, form, signIn, actor };
}

describe("signing in over next-auth", () => {
  it("gives a cookie that stands for the person, out of reach of scripts and of other sites", async () => {
    const { signIn, actor, attributes } = browser();
    expect((await signIn(two.ours.approver.email)).status).toBe(200);
    expect(await actor()).toMatchObject({ memberId: two.ours.approver.id, via: "sign_in" });
    expect(attributes.get("countersign")).toBe("Path=/; HttpOnly; SameSite=Lax");
  });

  it("has a __Host- cookie with Secure when people reach it by https", async () => {
    overrideEnv({ PUBLIC_URL: "https://countersign.example" });
    try {
      const { signIn, actor, attributes } = browser("https://countersign.example");
      expect((await signIn(two.ours.approver.email)).status).toBe(200);
      expect(await actor()).toMatchObject({ memberId: two.ours.approver.id });
      for (const name of ["__Host-countersign", "__Host-auth-csrf", "__Host-auth-callback"]) {
        expect(attributes.get(name), name).toBe("Path=/; HttpOnly; Secure; SameSite=Lax");
      }
    } finally {
      overrideEnv({ PUBLIC_URL: "http://localhost:3000" });
    }
  });

  it("carries no name, address or role in the cookie", async () => {
    const { signIn, jar } = browser();
    await signIn(two.ours.owner.email);
    const claims = JSON.parse(Buffer.from((jar.get("countersign") ?? "").split(".")[1] ?? "", "base64url").toString());
    expect(Object.keys(claims).sort()).toEqual(["org", "secret", "sid"]);
  });

  it("answers a wrong password with a problem document and no cookie", async () => {
    const { signIn, jar } = browser();
    const response = await signIn(two.ours.member.email, "not the right one");
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "sign_in_refused" });
    expect(jar.has("countersign")).toBe(false);
  });

  it("says who is signed in, and nothing once the sign-in has ended", async () => {
    const { signIn, send, form, actor, jar } = browser();
    await signIn(two.ours.auditor.email);
    expect(await (await send("session")).json()).toMatchObject({ user: { name: expect.any(String) } });
    const before = new Map(jar);
    expect((await form("signout", {})).status).toBe(200);
    expect(jar.has("countersign")).toBe(false);
    // A copy of the cookie is worth nothing: the row has ended.
    for (const [name, value] of before) jar.set(name, value);
    expect(await actor()).toBeNull();
    expect(await (await send("session")).json()).not.toHaveProperty("user");
  });

  it("needs its own token against forgery, and a call from this site", async () => {
    const { send, jar } = browser();
    await send("csrf");
    const fields = { email: two.ours.admin.email, password: TEST_PASSWORD, json: "true" };
    const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
      send("callback/credentials", {
        method: "POST",
        headers: { ...FORM, ...headers },
        body: new URLSearchParams(body),
      });
    await post({ ...fields, csrfToken: "0".repeat(64) });
    expect(jar.has("countersign")).toBe(false);
    const csrfToken = (jar.get("auth-csrf") ?? "").split("%7C")[0] ?? "";
    expect((await post({ ...fields, csrfToken }, { origin: "https://evil.example" })).status).toBe(403);
    expect(jar.has("countersign")).toBe(false);
    expect((await post({ ...fields, csrfToken })).status).toBe(200);
    expect(jar.has("countersign")).toBe(true);
  });

  it("serves no page or action of next-auth that we do not use", async () => {
    const { send } = browser();
    for (const path of ["signin", "signout", "error", "verify-request", "_log", "callback/other", "session/x", ""]) {
      expect((await send(path)).status, path).toBe(404);
    }
    for (const path of ["_log", "signin/credentials", "session", "csrf"]) {
      expect((await send(path, { method: "POST", headers: FORM, body: "a=b" })).status, path).toBe(404);
    }
  });
});
