import type { AuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { admitSignIn } from "@/server/services/identity/admit-person";
import { type Origin, signIn } from "@/server/services/identity/sign-in";
import {
  decodeSignIn,
  encodeSignIn,
  isSecure,
  type SignInClaims,
  signInCookieName,
} from "@/server/services/identity/sign-in-cookie";
import { signOut } from "@/server/services/identity/sign-out";

const MAX_AGE_S = 12 * 60 * 60;

/** One call to next-auth: where it comes from, and how it failed. */
export type Attempt = { readonly origin: Origin; failure: Error | null };

const claimsIn = (token: unknown): SignInClaims | null => {
  const { org, sid, secret } = token as Partial<SignInClaims>;
  return org !== undefined && sid !== undefined && secret !== undefined ? { org, sid, secret } : null;
};

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** Our side of next-auth: it keeps the cookie, we keep the sign-ins. The cookie is a JWT of ours and says which one. */
export function authOptions(attempt: Attempt): AuthOptions {
  return {
    secret: env().SESSION_SECRET,
    useSecureCookies: isSecure(),
    session: { strategy: "jwt", maxAge: MAX_AGE_S },
    cookies: cookies(),
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [passwordProvider(attempt)],
    jwt: {
      encode: ({ token }) => encodeSignIn(claimsIn(token ?? {}) ?? unexpected()),
      decode: ({ token }) => decodeSignIn(token ?? "") as JWT | null,
    },
    callbacks: {
      jwt: ({ token, user }) => (claimsIn(user ?? {}) ?? token) as JWT,
      session: async ({ session, token }) => {
        const claims = claimsIn(token);
        const actor = claims && (await admitSignIn(claims));
        return { expires: session.expires, ...(actor ? { user: { name: actor.name } } : {}) };
      },
    },
    events: {
      signOut: async ({ token }) => {
        const claims = claimsIn(token ?? {});
        if (claims) await signOut(claims);
      },
    },
    // Codes alone: what next-auth would log beside them may hold what was typed.
    logger: {
      error: (code) => log.warn({ code }, "next-auth"),
      warn: (code) => log.debug({ code }, "next-auth"),
      debug: () => {},
    },
  };
}

function unexpected(): never {
  throw new Error("a sign-in without claims");
}

function passwordProvider(attempt: Attempt): AuthOptions["providers"][number] {
  return {
    id: "credentials",
    name: "E-mail and password",
    type: "credentials",
    credentials: {
      email: { label: "E-mail address", type: "email" },
      password: { label: "Password", type: "password" },
      organizationId: { label: "Organization", type: "text" },
    },
    authorize: async (given) => {
      try {
        const organizationId = text(given?.organizationId);
        const claims = await signIn(
          {
            email: text(given?.email),
            password: text(given?.password),
            ...(organizationId === "" ? {} : { organizationId }),
          },
          attempt.origin,
        );
        return { id: claims.sid, ...claims };
      } catch (error) {
        attempt.failure = error instanceof Error ? error : new Error("signing in failed", { cause: error });
        return null;
      }
    },
  };
}

const COOKIE_OPTIONS = { httpOnly: true, sameSite: "lax", path: "/" } as const;

// next-auth takes every cookie whose name begins with the first one's for a part of it, so the others' do not.
function cookies(): NonNullable<AuthOptions["cookies"]> {
  const options = { ...COOKIE_OPTIONS, secure: isSecure() };
  const prefix = isSecure() ? "__Host-" : "";
  return {
    sessionToken: { name: signInCookieName(), options },
    csrfToken: { name: `${prefix}auth-csrf`, options },
    callbackUrl: { name: `${prefix}auth-callback`, options },
  };
}

/** The cookies that next-auth gets to see. */
export const authCookieNames = (): ReadonlySet<string> =>
  new Set(Object.values(cookies()).flatMap((cookie) => (cookie ? [cookie.name] : [])));
