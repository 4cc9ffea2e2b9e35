import type { MemberActor } from "@/server/domain/actor";
import { signInActor } from "@/server/services/identity/authenticate";
import { signIn } from "@/server/services/identity/sign-in";
import { encodeSignIn, signInCookieName } from "@/server/services/identity/sign-in-cookie";
import type { TestPerson } from "@/test/support/organization";

export type Browser = { readonly cookie: string };

/** A person signed in at a browser of their own. */
export async function browserOf(person: TestPerson): Promise<Browser & { readonly actor: MemberActor }> {
  const claims = await signIn({ email: person.email, password: person.password }, { address: "", userAgent: "" });
  const cookie = `${signInCookieName()}=${encodeSignIn(claims)}`;
  const actor = await signInActor(cookie);
  if (actor === null) throw new Error("nobody is signed in");
  return { cookie, actor };
}

/** Slack sends the browser back to us; answers what the page that it lands on is told. */
export async function comeBack(address: string, { cookie }: Browser): Promise<string> {
  const answer = await fetch(address, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
  const location = new URL(answer.headers.get("location") ?? "");
  if (answer.status !== 303 || location.pathname !== "/slack") throw new Error(`sent to ${location.pathname}`);
  return location.search.slice(1);
}
