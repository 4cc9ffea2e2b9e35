import { randomInt } from "node:crypto";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { TOKEN_SCOPES } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";
import { acceptInvitation } from "@/server/services/identity/accept-invitation";
import { admitSignIn } from "@/server/services/identity/admit-person";
import { createOrganization } from "@/server/services/identity/create-organization";
import { createMember } from "@/server/services/identity/members/create-member";
import { hashPassword } from "@/server/services/identity/passwords";
import { createToken } from "@/server/services/identity/self/tokens";
import { signIn } from "@/server/services/identity/sign-in";
import type { SignInClaims } from "@/server/services/identity/sign-in-cookie";
import { signOut } from "@/server/services/identity/sign-out";
import { systemActor } from "@/server/services/system-actor";

/** Nobody mistakes these for one another when reading them off a terminal. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const HERE = { address: "127.0.0.1", userAgent: "npm start" };
const TOKEN_DAYS = 365;

export const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");

/** Four groups of five: 99 random bits. */
const newPassword = (): string => Array.from({ length: 4 }, () => randomText(5)).join("-");

/** Somebody who is signed in, and how they get in again. */
export type SeededPerson = {
  readonly actor: MemberActor;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly leave: () => Promise<void>;
};

async function enter(email: string, password: string, organizationId: string): Promise<SeededPerson> {
  const claims: SignInClaims = await signIn({ email, password, organizationId }, HERE);
  const actor = await admitSignIn(claims);
  if (actor === null) throw new Error("somebody who just signed in is not signed in");
  const { token } = await createToken(actor, { name: "demo", scopes: [...TOKEN_SCOPES], expiresInDays: TOKEN_DAYS });
  return { actor, email, password, token, leave: () => signOut(claims) };
}

type NewPerson = { readonly name: string; readonly email: string };

/** A new organization and its owner, signed in. */
export async function foundOrganization(name: string, owner: NewPerson): Promise<SeededPerson> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const orgId = newId("organization");
  await withOrgSql(orgId, (q) =>
    createOrganization(q, { name, owner: { ...owner, passwordHash }, actor: systemActor(orgId, "demo") }),
  );
  return enter(owner.email, password, orgId);
}

/** Somebody invited by `owner` who has chosen a password and signed in. */
export async function invitePerson(owner: MemberActor, person: NewPerson & { role: Role }): Promise<SeededPerson> {
  const password = newPassword();
  const { link } = await createMember(owner, person);
  await acceptInvitation({ token: link.slice(link.indexOf("#") + 1), password }, { address: "" });
  return enter(person.email, password, owner.orgId);
}
