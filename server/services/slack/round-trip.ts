import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";

export const ROUND_TRIPS = ["install", "link"] as const;
export type RoundTrip = (typeof ROUND_TRIPS)[number];

const hashOf = (text: string) => createHash("sha256").update(text, "utf8").digest();
const word = () => randomBytes(32).toString("base64url");

/** What Slack sends back with a person. The state says what they began, so that the address is one for all. */
export const stateSchema = z.string().regex(/^(install|link)\.[A-Za-z0-9_-]{43}$/, "is not one of ours");
export const codeSchema = z.string().min(1).max(500);

/** A round trip is a person's at a browser: a token has none to come back to. */
export function requireSignIn(actor: MemberActor): void {
  if (actor.via === "sign_in") return;
  throw new AppError("forbidden", "This takes a sign-in in the web app.", { reason: "sign_in_only" });
}

/** Begins a round trip to Slack: what is made is good once, for ten minutes, for this sign-in. */
export async function beginRoundTrip(q: OrgSql, actor: MemberActor, kind: RoundTrip) {
  const state = `${kind}.${word()}`;
  const nonce = word();
  await q.query(
    `INSERT INTO slack_round_trip (org_id, state_hash, kind, member_id, sign_in_id, nonce_hash, expires_at)
     VALUES (app.org_id(), $1, $2, $3, $4, $5, clock_timestamp() + interval '10 minutes')`,
    [hashOf(state), kind, actor.memberId, actor.credentialId, hashOf(nonce)],
  );
  return { state, nonce };
}

export type Returned = { readonly isNonce: (nonce: string) => boolean };

/**
 * Ends a round trip for the very sign-in that began it, in one conditional update: whoever comes with the same state
 * again, from another browser or too late, gets nothing. Throws AppError `slack_state_invalid`.
 */
export async function endRoundTrip(actor: MemberActor, kind: RoundTrip, state: string): Promise<Returned> {
  const { rows } = await withOrgSql(actor.orgId, (q) =>
    q.query<{ nonce_hash: Buffer }>(
      `UPDATE slack_round_trip SET used_at = clock_timestamp()
       WHERE state_hash = $1 AND kind = $2 AND member_id = $3 AND sign_in_id = $4 AND used_at IS NULL AND expires_at > clock_timestamp()
       RETURNING nonce_hash`,
      [hashOf(state), kind, actor.memberId, actor.credentialId],
    ),
  );
  const [row] = rows;
  if (row === undefined) {
    throw new AppError("refused", "This did not begin here, was used already, or took too long. Start again.", {
      reason: "slack_state_invalid",
    });
  }
  return { isNonce: (nonce) => timingSafeEqual(hashOf(nonce), row.nonce_hash) };
}
