import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "@/server/vault/redactor";

const everyByte = (hexOf: (byte: number) => string) => (secret: string) =>
  [...Buffer.from(secret, "utf8")].map((byte) => `%${hexOf(byte)}`).join("");
const hex = (byte: number) => byte.toString(16).padStart(2, "0");
const unit = (text: string, write: (code: number) => string) =>
  Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index))).join("");
const html = (secret: string) =>
  secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
const inJson = (secret: string) => JSON.stringify(secret).slice(1, -1);

/** Encodings that stay readable in the middle of any other text. */
const TEXT_ENCODINGS: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  json: inJson,
  "json in json": (secret) => inJson(inJson(secret)),
  "json with slashes escaped": (secret) => inJson(secret).replaceAll("/", "\\/"),
  "json, every unit": (secret) => unit(secret, (code) => `\\u${code.toString(16).padStart(4, "0")}`),
  html,
  "html, decimal": (secret) => [...secret].map((char) => `&#${char.codePointAt(0)};`).join(""),
  "html, hexadecimal": (secret) => [...secret].map((char) => `&#x${char.codePointAt(0)?.toString(16)};`).join(""),
  "html in json": (secret) => inJson(html(secret)),
  url: encodeURIComponent,
  "url, lower case": (secret) => encodeURIComponent(secret).replace(/%../g, (token) => token.toLowerCase()),
  "url twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "json in a url": (secret) => encodeURIComponent(inJson(secret)),
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  "every byte": everyByte(hex),
  "every byte, upper case": everyByte((byte) => hex(byte).toUpperCase()),
  hex: (secret) => Buffer.from(secret, "utf8").toString("hex"),
  "hex, upper case": (secret) => Buffer.from(secret, "utf8").toString("hex").toUpperCase(),
};

/** Encodings whose characters depend on what stands before: the neighbours are encoded along. */
const BLOCK_ENCODINGS: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text, "utf8").toString("base64"),
  base64url: (text) => Buffer.from(text, "utf8").toString("base64url"),
  "base64 of UTF-16": (text) => Buffer.from(text, "utf16le").toString("base64"),
  "base64 in lines": (text) => Buffer.from(text, "utf8").toString("base64").replace(/.{76}/g, "$&\r\n"),
  "base64 in a url": (text) => encodeURIComponent(Buffer.from(text, "utf8").toString("base64")),
};

const wellFormed = (text: string) => text.isWellFormed() && Buffer.from(text, "utf8").length >= 8;
const secretText = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 60 }),
    fc.string({ minLength: 8, maxLength: 60, unit: "grapheme" }),
    fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(..."aA0+/=&%\\\"'<> \n:-_.~\u00e9") }),
  )
  .filter(wellFormed);
const neighbour = fc.string({ maxLength: 30, unit: "grapheme" }).filter((text) => text.isWellFormed());
/** Neighbours that do not change how the encoding next to them is read. */
const plainNeighbour = fc.string({ maxLength: 30, unit: fc.constantFrom(..."xyz .,;()|") });

describe("a secret embedded anywhere never comes out", () => {
  test.each(Object.entries(TEXT_ENCODINGS))("%s", (_name, encode) => {
    fc.assert(
      fc.property(secretText, plainNeighbour, plainNeighbour, (secret, before, after) => {
        const encoded = encode(secret);
        const shown = createRedactor([secret]).text(before + encoded + after);
        expect(shown.includes(secret)).toBe(false);
        expect(shown.includes(encoded)).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  test.each(Object.entries(BLOCK_ENCODINGS))("%s, at any alignment", (_name, encode) => {
    fc.assert(
      fc.property(secretText, neighbour, neighbour, (secret, before, after) => {
        const shown = createRedactor([secret]).text(`data:${encode(before + secret + after)};`);
        const decoded = Buffer.from(shown.replace(/[^A-Za-z0-9+/=_-]/g, ""), "base64");
        expect(decoded.includes(Buffer.from(secret, "utf8"))).toBe(false);
        expect(decoded.includes(Buffer.from(secret, "utf16le"))).toBe(false);
        expect(shown).toMatch(/secret|\u2580|\u2581|\u2582/);
      }),
      { numRuns: 150 },
    );
  });

  test("several, overlapping and one inside another", () => {
    const redactor = createRedactor(["abcdefgh", "efghijkl", "abcdefghijklmnop"]);
    expect(redactor.text("x abcdefghijkl y")).toBe("x [secret] y");
    expect(redactor.text("abcdefghijklmnop")).toBe("[secret]");
  });

  test("a Basic pair, at every length of the user name", () => {
    for (let length = 1; length < 9; length++) {
      const pair = Buffer.from(`${"u".repeat(length)}:s3cr3t-passw0rd`).toString("base64");
      expect(createRedactor(["s3cr3t-passw0rd"]).text(`Authorization: Basic ${pair}`)).toContain("[secret]");
    }
  });
});

describe("JSON", () => {
  test("is masked in keys and values at any depth, numbers included", () => {
    const redactor = createRedactor(["hunter2-hunter2", "1234567890"]);
    const value = { a: [{ "x-hunter2-hunter2": "hunter2-hunter2!" }], n: 1234567890, m: 12, ok: true, none: null };
    expect(redactor.json(value)).toEqual({
      a: [{ "x-[secret]": "[secret]!" }],
      n: "[secret]",
      m: 12,
      ok: true,
      none: null,
    });
  });

  test("any secret in any value never comes out", () => {
    fc.assert(
      fc.property(secretText, fc.jsonValue({ maxDepth: 4 }), (secret, rest) => {
        const value = { rest, [`k${secret}`]: [secret, { deep: `x${inJson(secret)}y` }] } as never;
        const walk = (part: unknown): string[] =>
          part !== null && typeof part === "object"
            ? Object.entries(part).flatMap(([key, item]) => [key, ...walk(item)])
            : [String(part)];
        expect(walk(createRedactor([secret]).json(value)).filter((text) => text.includes(secret))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test("a key named __proto__ stays a key", () => {
    const value = JSON.parse('{"__proto__":{"polluted":"hunter2-hunter2"}}');
    const shown = createRedactor(["hunter2-hunter2"]).json(value);
    expect(JSON.stringify(shown)).toBe('{"__proto__":{"polluted":"[secret]"}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("a stream", () => {
  test.each(Object.entries(TEXT_ENCODINGS))("masks what is split over chunks: %s", (_name, encode) => {
    fc.assert(
      fc.property(
        secretText,
        fc.array(fc.nat({ max: 400 }), { maxLength: 8 }),
        fc.nat({ max: 300 }),
        (secret, cuts, pad) => {
          const text = `${"x ".repeat(pad)}${encode(secret)}${" y".repeat(pad)}`;
          const stream = createRedactor([secret]).stream();
          const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
          const shown = places.slice(1).map((end, index) => stream.push(text.slice(places[index], end)));
          const whole = shown.join("") + stream.end();
          expect(whole.includes(secret)).toBe(false);
          expect(whole.includes(encode(secret))).toBe(false);
          expect(whole.startsWith("x ".repeat(pad).trimEnd())).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("that was cut off inside a secret does not show its first half", () => {
    const secret = "correct-horse-battery-staple";
    const stream = createRedactor([secret]).stream();
    const shown = stream.push(`${"a".repeat(5_000)}${secret.slice(0, 20)}`);
    expect(shown).toMatch(/^a+$/);
  });
});

test("text without a secret comes back as it was", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: "grapheme" }), (text) => {
      expect(createRedactor(["hunter2-hunter2"]).text(text)).toBe(text);
    }),
  );
});

test("a secret that looks like the mask is masked by another", () => {
  for (const secret of ["[secret]", "<secret>", "([secret])", "[<(\u2039secret\u203a)>]"]) {
    expect(createRedactor([secret]).text(`a${secret}b`)).not.toContain(secret);
  }
});

test("a secret under eight bytes is refused, not silently left unmasked", () => {
  expect(() => createRedactor(["short"])).toThrow();
  expect(() => createRedactor([""])).toThrow();
});

test("a hostile text takes time in proportion to its length", () => {
  const secret = "aaaaaaaaaaaaaaaaaaaa";
  const hostile = ["a", "%61", "\\u0061", "&#97;", "&#97;%5C\\/", "%25%36%31", "YWFh"].map((part) =>
    part.repeat(150_000 / part.length),
  );
  const started = process.cpuUsage();
  for (const text of hostile) createRedactor([secret]).text(text);
  const { user, system } = process.cpuUsage(started);
  // A second is usual; anything quadratic takes minutes.
  expect((user + system) / 1_000).toBeLessThan(8_000);
});
