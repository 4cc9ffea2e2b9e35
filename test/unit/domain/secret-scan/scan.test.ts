import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "@/server/domain/json";
import { scanForSecrets } from "@/server/domain/secret-scan/scan";
import { cpuMs } from "@/test/support/cpu-time";

const SECRETS = [
  "AKIAIOSFODNN7EXAMPLE",
  "ghp_1234567890abcdefghijklmnopqrstuvwxyz",
  "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOp",
  "postgres://app:S3cr3t@db.internal:5432/app",
  "-----BEGIN RSA PRIVATE KEY-----",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
  "password=hunter2x",
];
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const everyByte = (text: string, write: (hex: string) => string) =>
  [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, "0"))).join("");

const ENCODINGS: [string, (text: string) => string][] = [
  ["as it is", (text) => text],
  ["in a sentence", (text) => `Please use ${text} today.`],
  ["in JSON in a text", (text) => JSON.stringify({ body: JSON.stringify({ a: text }) })],
  ["URL-encoded", encodeURIComponent],
  ["URL-encoded to the last byte", (text) => everyByte(text, (byte) => `%${byte}`)],
  ["in JSON escapes", (text) => everyByte(text, (byte) => `\\u00${byte}`)],
  ["in HTML escapes", (text) => everyByte(text, (byte) => `&#x${byte};`)],
  ["in base64", base64],
  ["in base64url without padding", (text) => Buffer.from(text).toString("base64url")],
  ["in wrapped base64", (text) => base64(`${"Dear Ann, ".repeat(12)}${text}`).replace(/.{76}/g, "$&\r\n")],
  ["in base64 glued to other letters", (text) => `x${base64(` ${text} `)}`],
  ["in base64 of UTF-16", (text) => Buffer.from(text, "utf16le").toString("base64")],
  ["in hexadecimal", hex],
  ["in upper-case hexadecimal", (text) => hex(text).toUpperCase()],
  ["in spaced hexadecimal", (text) => hex(text).replace(/../g, "$& ").trim()],
  ["in hexadecimal at an odd place", (text) => `a${hex(text)}`],
  ["in base64 of base64", (text) => base64(base64(text))],
  ["in hexadecimal of base64", (text) => hex(base64(text))],
  ["in base64 of a URL-encoded text", (text) => base64(everyByte(text, (byte) => `%${byte}`))],
  ["with characters nobody sees", (text) => [...text].join("\u200b")],
  [
    "in full-width letters",
    (text) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  ],
  [
    "in invisible tag characters",
    (text) => `Hi ${[...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("")}`,
  ],
];

describe.each(ENCODINGS)("a secret %s", (_name, encode) => {
  test.each(SECRETS)("is found: %s", async (secret) => {
    expect(await scanForSecrets({ arguments: { body: encode(secret) } })).toMatchObject([{ field: "arguments.body" }]);
  });
});

describe("where it is found", () => {
  const [secret = ""] = SECRETS;
  const fieldsOf = async (args: JsonValue, note?: string) =>
    (await scanForSecrets({ arguments: args, ...(note === undefined ? {} : { note }) })).map(({ field }) => field);

  test("names the field, at any depth, and the note", async () => {
    expect(await fieldsOf({ a: [{ b: secret }, "x"], c: `a ${secret}` }, secret)).toEqual([
      "arguments.a[0].b",
      "arguments.c",
      "note",
    ]);
  });

  test("a key is scanned too and never repeated in a path", async () => {
    expect(await fieldsOf({ [secret]: { deeper: secret } })).toEqual(["arguments.(key)", "arguments.(key).deeper"]);
  });

  test("name and value in two fields belong together", async () => {
    expect(
      await scanForSecrets({ arguments: { headers: [{ name: "X-Api-Key", value: "a1b2c3d4e5f6g7h8" }] } }),
    ).toEqual([{ field: "arguments.headers[0].value", kind: "API key" }]);
  });

  test("the answer never holds the value", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SECRETS),
        fc.constantFrom(...ENCODINGS),
        fc.boolean(),
        async (value, [, encode], asKey) => {
          const text = encode(value);
          const hits = await scanForSecrets({ arguments: asKey ? { [text]: text } : { list: [[text]] } });
          expect(hits.length).toBeGreaterThan(0);
          expect(JSON.stringify(hits)).not.toContain(value);
          expect(JSON.stringify(hits)).not.toContain(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("at most twenty hits are listed", async () => {
    expect(await fieldsOf(Array(50).fill(secret))).toHaveLength(20);
  });

  test("what only the second opinion knows is found as well", async () => {
    const key = `aws: {'SecretAccessKey': '${"abcd".repeat(10)}'}`;
    expect(await scanForSecrets({ arguments: { body: key } })).toEqual([
      { field: "arguments.body", kind: "aws credential" },
    ]);
    expect(await scanForSecrets({ arguments: { x: "clean", body: base64(key) } })).toEqual([
      { field: "arguments.body", kind: "aws credential" },
    ]);
  });
});

describe("hostile input of the largest size", () => {
  const fill = (part: string) => part.repeat(Math.floor(1_000_000 / part.length));
  test.each([
    ["anchors", fill("ghp_")],
    ["keywords", fill("pwd=")],
    ["keywords with values", fill("password: aaaaaa ")],
    ["words around secrets", fill("aws secret ")],
    ["beginnings of tokens", fill("eyJaaaaaaaaaaa")],
    ["separated beginnings of tokens", fill("eyJaaaaaaaaaaa.")],
    ["addresses", fill("://a:b")],
    ["one long run", fill("a")],
    ["hexadecimal", fill("4141")],
    ["spaced hexadecimal", fill("41 ")],
    ["base64 of base64", base64(base64("A".repeat(560_000)))],
    ["percent signs", fill("%41")],
    ["broken escapes", fill("&#x\\u%")],
    ["quotes", fill('password="')],
    ["ligatures that grow", fill("\ufdfa")],
    ["key blocks", fill("-----BEGIN ")],
    ["suspicions", fill("xoxb-a-")],
    ["nested quotes", fill('secret:\\"')],
  ])("%s are read in seconds at most", async (_name, text) => {
    expect(await cpuMs(() => scanForSecrets({ arguments: { text } }))).toBeLessThan(4_000);
  });

  test("many small values and keys are read in seconds at most", async () => {
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`key${i}`, `value ${i}`]));
    expect(await cpuMs(() => scanForSecrets({ arguments: many }))).toBeLessThan(4_000);
  });
});

test("four kilobytes of ordinary mail take well under a millisecond of processor time", async () => {
  const text =
    "The quick brown fox orders 12 widgets for the quarterly report, see https://corp.example/a?b=c. ".repeat(43);
  const mail = { to: ["ann@corp.example"], subject: "Report", text: text.slice(0, 4_096) };
  const scan = async (times: number) => {
    for (let i = 0; i < times; i++) await scanForSecrets({ arguments: mail });
  };
  await scan(300);
  expect((await cpuMs(() => scan(300))) / 300).toBeLessThan(1);
});
