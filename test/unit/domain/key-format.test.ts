import { describe, expect, it } from "vitest";
import { formatKey, parseKey, SECRET_ALPHABET } from "@/server/domain/key-format";

const ULID = "01JABCDEFGHJKMNPQRSTVWXYZ0";
const parts = {
  kind: "agent",
  orgId: `org_${ULID}`,
  id: "key_01JABCDEFGHJKMNPQRSTVWXYZ1",
  secret: "a".repeat(43),
} as const;

describe("the written form of a key", () => {
  it("gives back what it was made of", () => {
    for (const [kind, prefix] of [
      ["agent", "key"],
      ["user", "pat"],
      ["setup", "lnk"],
    ] as const) {
      const made = { ...parts, kind, id: parts.id.replace("key", prefix) };
      expect(parseKey(formatKey(made))).toEqual(made);
    }
  });

  it("starts with csk, the kind, and both ids", () => {
    expect(formatKey(parts)).toMatch(
      /^csk_agent_01JABCDEFGHJKMNPQRSTVWXYZ001JABCDEFGHJKMNPQRSTVWXYZ1_a{43}_[0-9A-Za-z]{6}$/,
    );
  });

  it("refuses a key with any one character replaced", () => {
    const key = formatKey(parts);
    for (let at = 0; at < key.length; at += 1) {
      const other = SECRET_ALPHABET[(SECRET_ALPHABET.indexOf(key.charAt(at)) + 1) % 62] ?? "0";
      const parsed = parseKey(key.slice(0, at) + other + key.slice(at + 1));
      expect(parsed, `position ${at}`).toBeNull();
    }
  });

  it("refuses two neighbouring characters exchanged, a piece missing and anything around it", () => {
    const key = formatKey({ ...parts, secret: `ab${"c".repeat(41)}` });
    expect(parseKey(key.replace("_ab", "_ba"))).toBeNull();
    expect(parseKey(key.slice(0, -1))).toBeNull();
    expect(parseKey(` ${key}`)).toBeNull();
    expect(parseKey(`${key}\n`)).toBeNull();
    expect(parseKey(key.toLowerCase())).toBeNull();
    expect(parseKey("x".repeat(1_000_000))).toBeNull();
  });

  it("has a checksum that others can compute: CRC-32 in base 62", () => {
    // CRC-32("123456789") is 0xcbf43926, the check value of the standard; the same code is reached through formatKey.
    const key = formatKey(parts);
    const body = key.slice(0, key.lastIndexOf("_"));
    let crc = 0xffffffff;
    for (const byte of Buffer.from(body)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    let rest = BigInt((crc ^ 0xffffffff) >>> 0);
    let digits = "";
    for (let place = 0; place < 6; place += 1) {
      digits = SECRET_ALPHABET[Number(rest % 62n)] + digits;
      rest /= 62n;
    }
    expect(key.slice(key.lastIndexOf("_") + 1)).toBe(digits);
  });
});
