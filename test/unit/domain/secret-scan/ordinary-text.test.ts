import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanForSecrets } from "@/server/domain/secret-scan/scan";

const hitsIn = (text: string) => scanForSecrets({ arguments: { text }, note: text });

const hexOf = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const ulid = fc.string({ unit: fc.constantFrom(..."0123456789ABCDEFGHJKMNPQRSTVWXYZ"), minLength: 26, maxLength: 26 });
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length });
const bytes = fc.uint8Array({ minLength: 24, maxLength: 400 }).map((data) => Buffer.from(data));

const LOOK_ALIKES: [string, fc.Arbitrary<string>][] = [
  ["a UUID", fc.uuid().map((id) => `request ${id}, idempotency_key: ${id}`)],
  [
    "one of our ids",
    fc.tuple(fc.constantFrom("org", "agt", "req", "con", "ses"), ulid).map(([kind, id]) => `${kind}_${id}`),
  ],
  ["a commit", hexOf(40).map((hash) => `commit ${hash}`)],
  ["a digest", hexOf(64).map((hash) => `sha256:${hash} and ETag "${hash.slice(0, 32)}"`)],
  ["an integrity attribute", bytes.map((data) => `sha512-${createHash("sha512").update(data).digest("base64")}`)],
  ["a picture", bytes.map((data) => `data:image/png;base64,${data.toString("base64")}`)],
  [
    "a page token",
    bytes.map((data) => `https://api.corp.example/list?pageToken=${data.toString("base64url")}&limit=20`),
  ],
  ["an order number", digits(10).map((id) => `Order SK-${id} / PO-2025-${id} / AC${id}`)],
  ["an IBAN and a card", digits(18).map((id) => `IBAN DE${id} 4111 1111 1111 ${id.slice(0, 4)}`)],
  ["a phone number and a date", digits(8).map((id) => `+49 30 ${id}, due 2026-11-30T09:00:00Z`)],
  ["a calendar link", bytes.map((data) => `https://calendar.example/event?eid=${data.toString("base64url")}`)],
  ["a trace id", hexOf(32).map((id) => `traceparent: 00-${id}-${id.slice(16)}-01, x-request-id=${id}`)],
  ["a tracking pixel", hexOf(24).map((id) => `<img src="https://mail.corp.example/o/${id}/${id}.gif?u=${id}">`)],
  ["a message id", hexOf(20).map((id) => `Message-ID: <${id}.1764493200@mail.corp.example>`)],
  [
    "a long word",
    fc
      .string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz-"), minLength: 20, maxLength: 60 })
      .map((word) => `the task-${word} desk`),
  ],
  [
    "a stand-in",
    fc.constantFrom(
      "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
      "AKIAXXXXXXXXXXXXXXXX",
      "ghp_************************************",
      "api_key=YOUR_API_KEY_HERE1",
      "Bearer <your token here>",
    ),
  ],
];

describe("what only looks like a secret is left alone", () => {
  test.each(LOOK_ALIKES)("%s", async (_name, texts) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await hitsIn(text)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

test("ordinary business mail is left alone", async () => {
  const mails = [
    "Dear Ann,\n\nplease find the Q3 report attached. The password to the portal was reset last week; ask IT if you have not got it.\n\nKind regards, Bob",
    "Meeting ID: 865 1234 5678, passcode: 482913, join at https://meet.corp.example/j/86512345678?pwd=QWxhZGRpbjpvcGVu",
    "Invoice INV-2026-00123 over 12.500,00 EUR is due on 2026-12-15. IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX.",
    "We rotate API keys every 90 days. Access tokens expire after one hour. Never send a secret by e-mail.",
    "The secret ingredient: basil. Token of appreciation: a mug. Key takeaways: ship, measure, learn.",
    "你好，请查收附件中的合同。密码：请咨询信息部。Grüße aus Köln, ¡hasta mañana! 🎉",
    "SELECT id, name FROM customers WHERE created_at > now() - interval '7 days' AND token IS NOT NULL; -- key \"customers_pkey\"",
  ];
  for (const mail of mails) expect(await hitsIn(mail)).toEqual([]);
});

// A larger collection of real mails and documents, where a checkout has one beside it.
const COLLECTION = process.cwd().replace(/[^/]*$/, "shared/data/benign-dev.jsonl");
test("a collection of real mails and documents, where there is one, has no hit", async () => {
  if (!existsSync(COLLECTION)) return;
  for (const line of readFileSync(COLLECTION, "utf8").trim().split("\n")) {
    const { text } = JSON.parse(line) as { text: string };
    expect(await hitsIn(text)).toEqual([]);
  }
});
