import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, clientAddress, stampAddress, trustedProxies } from "@/server/http/client-address";

const trusted = trustedProxies(["10.0.0.0/8", "::1"]);

describe("the caller's address", () => {
  it("is the peer when the peer is no trusted proxy, whatever it claims", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.string(), (claimed, junk) => {
        const forwardedFor = `${junk},${claimed}`;
        expect(clientAddress({ peer: "203.0.113.9", forwardedFor, trusted })).toBe("203.0.113.9");
      }),
    );
  });

  it("is the nearest hop that is not trusted", () => {
    const forwardedFor = "1.1.1.1, 198.51.100.7, 10.1.2.3";
    expect(clientAddress({ peer: "::ffff:10.0.0.1", forwardedFor, trusted })).toBe("198.51.100.7");
    expect(clientAddress({ peer: "::1", forwardedFor: "198.51.100.7", trusted })).toBe("198.51.100.7");
  });

  it("stops at what is no address", () => {
    expect(clientAddress({ peer: "10.0.0.1", forwardedFor: "1.1.1.1, unknown", trusted })).toBe("10.0.0.1");
    expect(clientAddress({ peer: "10.0.0.1", forwardedFor: undefined, trusted })).toBe("10.0.0.1");
  });

  it("cannot be written by the caller", () => {
    const headers: Record<string, string> = { "x-countersign-client": "guess 1.1.1.1" };
    expect(addressOf(new Headers(headers))).toBe("");
    stampAddress(headers, "198.51.100.7");
    expect(addressOf(new Headers(headers))).toBe("198.51.100.7");
    headers["x-vercel-forwarded-for"] = "1.1.1.1";
    expect(addressOf(new Headers(headers))).toBe("198.51.100.7");
  });

  it("is the platform's word where our server is not in front", () => {
    expect(addressOf(new Headers({ "x-vercel-forwarded-for": "198.51.100.7, 1.1.1.1" }))).toBe("198.51.100.7");
    expect(addressOf(new Headers({ "x-vercel-forwarded-for": "somebody" }))).toBe("");
  });
});
