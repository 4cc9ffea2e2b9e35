import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSignedBySlack } from "@/slack/signature";

const secret = "a-signing-secret-of-the-tests";
const nowMs = 1_800_000_000_000;
const body = Buffer.from("payload=%7B%7D");
const sign = (timestamp: string, bytes: Uint8Array = body) =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:`).update(bytes).digest("hex")}`;
const check = (timestamp: string | null, signature: string | null, bytes: Uint8Array = body) =>
  isSignedBySlack({ secret, timestamp, signature, body: bytes, nowMs });
const at = (offsetS: number) => String(nowMs / 1_000 + offsetS);

describe("a call of Slack's", () => {
  it("is taken when it is signed and of this moment", () => {
    for (const offset of [0, 299, -299]) expect(check(at(offset), sign(at(offset)))).toBe(true);
  });

  it("is refused when it is too old or from the future", () => {
    for (const offset of [-301, 301, 86_400]) expect(check(at(offset), sign(at(offset)))).toBe(false);
  });

  it("is refused when a byte, the time or the signature is another, or missing", () => {
    const good = sign(at(0));
    expect(check(at(0), good, Buffer.from("payload=%7B%7d"))).toBe(false);
    expect(check(at(1), good)).toBe(false);
    expect(check(at(0), good.toUpperCase())).toBe(false);
    expect(check(at(0), `v1=${good.slice(3)}`)).toBe(false);
    expect(check(at(0), `${good}00`)).toBe(false);
    expect(check(`${at(0)}.0`, sign(`${at(0)}.0`))).toBe(false);
    expect(check(null, good)).toBe(false);
    expect(check(at(0), null)).toBe(false);
    expect(check("", "")).toBe(false);
  });
});
