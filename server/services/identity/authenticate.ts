import type { Actor, MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { parseKey } from "@/server/domain/key-format";
import { admitAgent } from "@/server/services/identity/admit-agent";
import { admitSignIn, admitToken } from "@/server/services/identity/admit-person";
import { invalidCredential } from "@/server/services/identity/refusals";
import { decodeSignIn, signInCookiesOf } from "@/server/services/identity/sign-in-cookie";

export type Presented = { readonly authorization: string | null; readonly cookie: string | null };

/**
 * Who makes a call, read from the database for this call; null where nothing was presented. A call with two
 * credentials is refused: nobody could say for whom it was made. Throws AppError `unauthenticated`, `rate_limited`,
 * `invalid`.
 */
export async function authenticate({ authorization, cookie }: Presented): Promise<Actor | null> {
  const hasCookie = signInCookiesOf(cookie).length > 0;
  if (authorization === null) return hasCookie ? signInActor(cookie) : null;
  if (hasCookie) {
    throw new AppError("invalid", "Present one credential: a cookie and a bearer token came together.", {
      reason: "two_credentials",
    });
  }
  const key = parseKey(/^Bearer ([0-9A-Za-z_]+)$/i.exec(authorization)?.[1] ?? "");
  if (key?.kind === "agent") return admitAgent(key);
  if (key?.kind === "user") return admitToken(key);
  throw invalidCredential();
}

/** The person who is signed in by cookie, for pages: null when nobody is, or no longer. Throws AppError `rate_limited`. */
export async function signInActor(cookieHeader: string | null): Promise<MemberActor | null> {
  const [value, ...others] = signInCookiesOf(cookieHeader);
  const claims = value !== undefined && others.length === 0 ? decodeSignIn(value) : null;
  return claims && admitSignIn(claims);
}
