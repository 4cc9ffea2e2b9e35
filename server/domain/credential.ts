import { z } from "zod";
import { headerRule, isHeaderName, isHeaderValue } from "@/server/domain/actions/http-headers";

/** Shorter secrets cannot be masked in results without masking ordinary text, so they are not taken. */
const MIN_SECRET_LENGTH = 8;
const MAX_SECRET_LENGTH = 4_096;

const ALLOWED_FOR_PEOPLE = new Set(["authorization", "cookie"]);
/** Framing headers stay forbidden for people as well; those that carry credentials are what this is for. */
const isCredentialHeader = (name: string): boolean =>
  isHeaderName(name) && (ALLOWED_FOR_PEOPLE.has(name.toLowerCase()) || headerRule(name, "") === null);

const secretText = z.string().min(MIN_SECRET_LENGTH).max(MAX_SECRET_LENGTH);

/** What the vault holds for a connection, as JSON under seal. Only connectors read it. */
export const credentialSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("header"),
    name: z.string().max(100).refine(isCredentialHeader, "must be a header that may carry a credential"),
    value: secretText.refine(isHeaderValue, "must be printable ASCII"),
  }),
  z.strictObject({
    kind: z.literal("password"),
    user: z.string().min(1).max(320),
    password: secretText.refine((text) => !text.includes("\0"), "must not contain NUL"),
  }),
]);
export type StoredCredential = z.infer<typeof credentialSchema>;
export type CredentialKind = StoredCredential["kind"];

/** The exact texts that must never appear in a result: the secret, its parts, and the pairs it is sent in. */
export function secretsIn(credential: StoredCredential): readonly string[] {
  switch (credential.kind) {
    case "header": {
      const parts = credential.value.split(/\s+/).filter((part) => part.length >= MIN_SECRET_LENGTH);
      return [credential.value, ...parts, ...decodedBasic(credential.value)];
    }
    case "password":
      return [
        credential.password,
        `${credential.user}:${credential.password}`,
        `\0${credential.user}\0${credential.password}`,
      ];
  }
}

/** `Basic …` hides a user and a password of its own. */
function decodedBasic(value: string): string[] {
  const [, encoded = ""] = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
  try {
    const pair = atob(encoded);
    const password = pair.slice(pair.indexOf(":") + 1);
    return [pair, password].filter((text) => text.length >= MIN_SECRET_LENGTH);
  } catch {
    return [];
  }
}
