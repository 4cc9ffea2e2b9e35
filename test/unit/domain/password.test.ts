import { describe, expect, it } from "vitest";
import { emailSchema, newPasswordSchema, presentedPasswordSchema } from "@/server/domain/password";

describe("e-mail addresses of people", () => {
  it("are one however they are typed", () => {
    expect(emailSchema.parse(" Ana.Maria@Corp.Example ")).toBe("ana.maria@corp.example");
    expect(emailSchema.parse("ａｎａ@corp.example")).toBe("ana@corp.example");
  });

  it("are checked after they are normalised, so that a look-alike of @ cannot add a second one", () => {
    for (const text of [
      "a＠corp.example@evil.example",
      "a@evil.example＠corp.example",
      "a@b@c.example",
      "",
      "a".repeat(400),
    ]) {
      expect(emailSchema.safeParse(text).success, text).toBe(false);
    }
  });
});

describe("passwords", () => {
  it("are refused when short, repetitive or common", () => {
    for (const text of [
      "short",
      "aaaaaaaaaaaaaaaa",
      "abababababab",
      "Password1234!",
      "passwordpassword",
      "123456789012",
      "x".repeat(201),
    ]) {
      expect(newPasswordSchema.safeParse(text).success, text).toBe(false);
    }
  });

  it("need no digits or signs when they are long", () => {
    expect(newPasswordSchema.safeParse("tall green lamp on desk").success).toBe(true);
  });

  it("are the same password in composed and decomposed form", () => {
    expect(presentedPasswordSchema.parse("cafe\u0301 au lait 12")).toBe(
      newPasswordSchema.parse("caf\u00e9 au lait 12"),
    );
  });
});
