import { monotonicFactory } from "ulid";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const next = monotonicFactory();

/** A sortable id; within this process each is greater than the one before. `now` is the database's time in epoch ms. */
export const newId = (now: number): string => next(now);

function crockford(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < 26; rest >>= 5n) text = (CROCKFORD[Number(rest & 31n)] ?? "") + text;
  return text;
}

/**
 * The event id that Inngest derives from the header `x-inngest-event-id-seed` ("millis,base64"), so that a request
 * which is sent again makes the same events. Undefined when the seed is absent or malformed.
 */
export function seededId(seed: string | null, index: number): string | undefined {
  const [, millis = "", encoded = ""] = /^(\d{1,14}),([A-Za-z0-9+/=]{1,64})$/.exec(seed ?? "") ?? [];
  const entropy = Buffer.from(encoded, "base64");
  if (!millis || entropy.length !== 10) return undefined;
  entropy.writeUInt32BE((entropy.readUInt32BE(6) + index) >>> 0, 6);
  return crockford((BigInt(millis) << 80n) | BigInt(`0x${entropy.toString("hex")}`));
}
