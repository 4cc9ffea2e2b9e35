import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { returnAttempt, takeAttempt } from "@/server/db/attempts";
import { AppError } from "@/server/domain/errors";
import { env } from "@/server/env";

const WINDOW_S = 900;
const LIMITS = { address: 20, email: 10 } as const;
type Kind = keyof typeof LIMITS;

/** Where an attempt comes from and whom it names; what is empty is not counted. */
export type Attempt = { readonly address: string; readonly email: string };

/** A keyed hash: the table of attempts names nobody. */
function bucketOf(kind: Kind, value: string): string {
  return createHmac("sha256", env().SESSION_SECRET).update(`attempt:${kind}:${value}`).digest("hex").slice(0, 40);
}

/** One household has a whole /64 of IPv6 addresses. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

const bucketsOf = ({ address, email }: Attempt) =>
  [
    { kind: "address", value: network(address) },
    { kind: "email", value: email },
  ].flatMap(({ kind, value }) => (value === "" ? [] : [{ kind: kind as Kind, bucket: bucketOf(kind as Kind, value) }]));

/**
 * Counts an attempt before it is judged: 20 from an address and 10 for an e-mail address in 15 minutes, whether or
 * not anybody has it. Throws AppError `rate_limited`.
 */
export async function countAttempt(attempt: Attempt): Promise<void> {
  const waits = await Promise.all(
    bucketsOf(attempt).map(({ kind, bucket }) => takeAttempt(bucket, LIMITS[kind], WINDOW_S)),
  );
  const waitS = Math.max(0, ...waits);
  if (waitS === 0) return;
  throw new AppError("rate_limited", "Too many attempts. Wait before the next.", {
    reason: "too_many_attempts",
    retryAfterS: waitS,
  });
}

/** Gives back what a rightful attempt took, so that people behind one address do not use it up by signing in. */
export async function forgiveAttempt(attempt: Attempt): Promise<void> {
  await Promise.all(bucketsOf(attempt).map(({ bucket }) => returnAttempt(bucket)));
}
