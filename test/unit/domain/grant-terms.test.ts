import { describe, expect, test } from "vitest";
import { type GrantTerms, grantCovers, grantTermsSchema } from "@/server/domain/grant-terms";

const NOW = new Date("2026-11-30T09:00:00Z");
const LATER = new Date("2026-12-30T09:00:00Z");
const TERMS: GrantTerms = {
  actions: ["email.send", "http.request"],
  access: "write",
  maxRisk: "medium",
  allow: { "email.send": { domains: [".example"] } },
  limits: { perDay: 100 },
  expiresAt: LATER,
};
const USE = { action: "email.send", effect: "write", risk: "medium" } as const;

describe("grantCovers", () => {
  test("covers what every term allows", () => expect(grantCovers(TERMS, USE, NOW)).toBeNull());

  test.each([
    ["an action it does not name", TERMS, { ...USE, action: "email.delete" }, "no_grant"],
    ["an effect where it only reads", { ...TERMS, access: "read" as const }, USE, "grant_read_only"],
    ["a risk above its highest", { ...TERMS, maxRisk: "low" as const }, USE, "risk_too_high"],
    ["anything at its end", { ...TERMS, expiresAt: NOW }, USE, "grant_expired"],
    ["anything after its end", { ...TERMS, expiresAt: new Date(NOW.getTime() - 1) }, USE, "grant_expired"],
  ] as const)("does not cover %s", (_name, terms, use, code) =>
    expect(grantCovers(terms, use, NOW)).toMatchObject({ code }),
  );

  test("a read grant without an end covers reads of its risk", () => {
    const reads = { ...TERMS, access: "read" as const, expiresAt: null };
    expect(grantCovers(reads, { ...USE, effect: "read", risk: "low" }, NOW)).toBeNull();
  });
});

describe("terms as written", () => {
  test("are accepted when complete", () => expect(grantTermsSchema.safeParse(TERMS).success).toBe(true));

  test.each([
    ["no action", { ...TERMS, actions: [] }],
    ["an action twice", { ...TERMS, actions: ["email.send", "email.send"], allow: {} }],
    ["a malformed action", { ...TERMS, actions: ["Email Send"], allow: {} }],
    ["a wildcard", { ...TERMS, actions: ["email.*"], allow: {} }],
    ["a list for another action", { ...TERMS, allow: { "sql.query": {} } }],
    ["a write grant without an end", { ...TERMS, expiresAt: null }],
    ["a limit of zero", { ...TERMS, limits: { perDay: 0 } }],
    ["an unknown limit", { ...TERMS, limits: { perWeek: 1 } }],
    ["an unknown term", { ...TERMS, all: true }],
  ])("%s is refused", (_name, terms) => expect(grantTermsSchema.safeParse(terms).success).toBe(false));
});
