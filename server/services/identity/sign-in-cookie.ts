import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { idOf } from "@/server/domain/ids";
import { env } from "@/server/env";

/** What the cookie says: which row of sign_in, and the secret that proves it. Who it is, the row knows. */
const claimsSchema = z.strictObject({
  org: idOf("organization"),
  sid: idOf("signIn"),
  secret: z.string().regex(/^[0-9A-Za-z]{43}$/),
});
export type SignInClaims = z.infer<typeof claimsSchema>;

const MAX_LENGTH = 1_000;
const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");
// The only header there is: a token that names another algorithm is not ours.
const HEADER = base64url('{"alg":"HS256","typ":"JWT"}');

/** Browsers tie a `__Host-` cookie to this host, this path and TLS; without TLS they would refuse it. */
export const signInCookieName = (): string => (isSecure() ? "__Host-countersign" : "countersign");

export const isSecure = (): boolean => env().PUBLIC_URL.startsWith("https:");

function sign(text: string): Buffer {
  const key = createHmac("sha256", env().SESSION_SECRET).update("countersign sign-in cookie").digest();
  return createHmac("sha256", key).update(text).digest();
}

/** The claims as a JWT signed with SESSION_SECRET. */
export function encodeSignIn(claims: SignInClaims): string {
  const text = `${HEADER}.${base64url(JSON.stringify(claims))}`;
  return `${text}.${base64url(sign(text))}`;
}

/** The claims of a token that we signed; null for anything else. Whether the sign-in stands, the database says. */
export function decodeSignIn(token: string): SignInClaims | null {
  if (token.length > MAX_LENGTH) return null;
  const [header, payload = "", signature = "", ...rest] = token.split(".");
  if (header !== HEADER || rest.length > 0) return null;
  const expected = sign(`${header}.${payload}`);
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  try {
    return claimsSchema.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** The values of the sign-in cookie in a Cookie header. Of more than one nobody can say which counts. */
export function signInCookiesOf(header: string | null): readonly string[] {
  const name = `${signInCookieName()}=`;
  return (header ?? "").split(";").flatMap((pair) => {
    const text = pair.trim();
    return text.startsWith(name) ? [text.slice(name.length)] : [];
  });
}
