import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { kekFrom } from "@/server/vault/kek";
import { isMacFor, macFor } from "@/server/vault/macs";

const freshKek = () => kekFrom(randomBytes(32).toString("base64"));

describe("a MAC", () => {
  const kek = freshKek();
  const bytes = Buffer.from("decided");

  test("holds for the same key, purpose, organization and bytes alone", () => {
    const mac = macFor(kek, "decision", "org_a", bytes);
    expect(mac.length).toBe(32);
    expect(isMacFor(kek, "decision", "org_a", bytes, mac)).toBe(true);
    expect(isMacFor(kek, "audit", "org_a", bytes, mac)).toBe(false);
    expect(isMacFor(kek, "decision", "org_b", bytes, mac)).toBe(false);
    expect(isMacFor(kek, "decision", "org_a", Buffer.from("decidee"), mac)).toBe(false);
    expect(isMacFor(freshKek(), "decision", "org_a", bytes, mac)).toBe(false);
    expect(isMacFor(kek, "decision", "org_a", bytes, mac.subarray(0, 31))).toBe(false);
    expect(isMacFor(kek, "decision", "org_a", bytes, Buffer.alloc(0))).toBe(false);
  });

  test("does not confuse where the organization ends and the bytes begin", () => {
    const mac = macFor(kek, "decision", "org_a", Buffer.from("bc"));
    expect(isMacFor(kek, "decision", "org_ab", Buffer.from("c"), mac)).toBe(false);
  });
});
