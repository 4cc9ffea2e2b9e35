import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** How far a call's time may lie from ours, in seconds, either way: a time to come could be kept and used later. */
const MAX_SKEW_S = 300;

export type SignedCall = {
  readonly secret: string;
  readonly timestamp: string | null;
  readonly signature: string | null;
  /** As they came: what was parsed and written again would be another text. */
  readonly body: Uint8Array;
  readonly nowMs: number;
};

/** Whether Slack signed these very bytes just now. In constant time. */
export function isSignedBySlack({ secret, timestamp, signature, body, nowMs }: SignedCall): boolean {
  if (timestamp === null || signature === null || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > MAX_SKEW_S) return false;
  const expected = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest();
  const given = /^v0=[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature.slice(3), "hex") : Buffer.alloc(0);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** What is remembered of a call so that it is taken once: of the signature's value, not of the way it is spelled. */
export const hashOfSignature = (signature: string): Buffer => createHash("sha256").update(signature, "utf8").digest();
