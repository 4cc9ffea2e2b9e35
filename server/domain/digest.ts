import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { canonicalBytes } from "@/server/domain/canonical-json";
import type { JsonObject, JsonValue } from "@/server/domain/json";

export const digestSchema = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hex digits");

/**
 * Everything an approval is bound to. The connection's credential is left out on purpose: refreshing it must void
 * nothing, while its account and configuration must.
 */
export type RequestDigestFields = {
  readonly organization: string;
  readonly request: string;
  /** Stored and random: short arguments would otherwise be guessable from a digest in the log. */
  readonly nonce: string;
  readonly agent: string;
  readonly actingFor: string | null;
  readonly session: string | null;
  readonly connection: string;
  readonly connectionConfigVersion: number;
  readonly connectionAccount: string | null;
  readonly grant: string;
  readonly grantVersion: number;
  readonly toolHash: string;
  readonly action: string;
  readonly arguments: JsonObject;
};

/** SHA-256 over the canonical JSON of the fields, as 64 hex digits. Throws TypeError when a field is not JSON. */
export function requestDigest(fields: RequestDigestFields): string {
  // Listed one by one: a field that the caller adds by accident must not change the digest, one it forgets must throw.
  return jsonDigest({
    organization: fields.organization,
    request: fields.request,
    nonce: fields.nonce,
    agent: fields.agent,
    actingFor: fields.actingFor,
    session: fields.session,
    connection: fields.connection,
    connectionConfigVersion: fields.connectionConfigVersion,
    connectionAccount: fields.connectionAccount,
    grant: fields.grant,
    grantVersion: fields.grantVersion,
    toolHash: fields.toolHash,
    action: fields.action,
    arguments: fields.arguments,
  });
}

/** SHA-256 over the canonical JSON of any value, as 64 hex digits. */
export function jsonDigest(value: JsonValue): string {
  return createHash("sha256").update(canonicalBytes(value)).digest("hex");
}

/** Whether two digests are the same, in time that does not depend on where they differ. */
export function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a, "utf8");
  const right = Buffer.from(b, "utf8");
  return left.length === right.length && timingSafeEqual(left, right);
}
