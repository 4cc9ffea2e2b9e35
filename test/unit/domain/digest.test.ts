import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestSchema, jsonDigest, type RequestDigestFields, requestDigest, sameDigest } from "@/server/domain/digest";

const FIELDS: RequestDigestFields = {
  organization: "org_1",
  request: "req_1",
  nonce: "00ff",
  agent: "agt_1",
  actingFor: null,
  session: null,
  connection: "con_1",
  connectionConfigVersion: 1,
  connectionAccount: "mail@corp.example",
  grant: "grt_1",
  grantVersion: 1,
  toolHash: "abc",
  action: "email.send",
  arguments: { to: ["a@b.example"], subject: "Hello", n: 1 },
};

describe("requestDigest", () => {
  test("is SHA-256 over the canonical JSON of exactly these fields", () => {
    const sorted = Object.fromEntries(Object.entries(FIELDS).sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = JSON.stringify({ ...sorted, arguments: { n: 1, subject: "Hello", to: ["a@b.example"] } });
    expect(requestDigest(FIELDS)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    expect(digestSchema.safeParse(requestDigest(FIELDS)).success).toBe(true);
  });

  const changes: [keyof RequestDigestFields, RequestDigestFields[keyof RequestDigestFields]][] = [
    ["organization", "org_2"],
    ["request", "req_2"],
    ["nonce", "00fe"],
    ["agent", "agt_2"],
    ["actingFor", "mem_1"],
    ["session", "ses_1"],
    ["connection", "con_2"],
    ["connectionConfigVersion", 2],
    ["connectionAccount", null],
    ["grant", "grt_2"],
    ["grantVersion", 2],
    ["toolHash", "abd"],
    ["action", "email.sent"],
    ["arguments", { to: ["a@b.example"], subject: "Hello", n: 2 }],
  ];

  test("the list of changes below names every field", () => {
    expect(changes.map(([field]) => field).sort()).toEqual(Object.keys(FIELDS).sort());
  });

  test.each(changes)("changing %s alone changes it", (field, value) => {
    expect(requestDigest({ ...FIELDS, [field]: value })).not.toBe(requestDigest(FIELDS));
  });

  test.each(changes)("leaving %s out throws", (field) => {
    const { [field]: _left, ...rest } = FIELDS;
    expect(() => requestDigest(rest as RequestDigestFields)).toThrow(TypeError);
  });

  test("moving text from one field to the next changes it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        const one = requestDigest({ ...FIELDS, agent: a + b, request: "" });
        const other = requestDigest({ ...FIELDS, agent: a, request: b });
        expect(one).not.toBe(other);
      }),
    );
  });

  test("any change to any argument changes it, and their order does not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const of = (x: unknown, y: unknown) =>
          requestDigest({ ...FIELDS, arguments: { x, y } as RequestDigestFields["arguments"] });
        const swapped = requestDigest({ ...FIELDS, arguments: { y: b, x: a } as RequestDigestFields["arguments"] });
        expect(swapped).toBe(of(a, b));
        if (jsonDigest([a] as never) !== jsonDigest([b] as never)) expect(of(a, b)).not.toBe(of(b, a));
      }),
    );
  });
});

test("sameDigest tells equal from different and from shorter", () => {
  const digest = requestDigest(FIELDS);
  expect(sameDigest(digest, digest)).toBe(true);
  expect(
    sameDigest(
      digest,
      digest.replace(/^./, (c) => (c === "0" ? "1" : "0")),
    ),
  ).toBe(false);
  expect(sameDigest(digest, digest.slice(1))).toBe(false);
});
