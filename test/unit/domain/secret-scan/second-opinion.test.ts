import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detect } from "@/server/domain/secret-scan/detect";
import { secondOpinion } from "@/server/domain/secret-scan/second-opinion";

const letters = (length: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${length}}$`));
const shaped = (pattern: RegExp) => fc.stringMatching(pattern);
const PEM = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7".repeat(3);

/** Texts that each rule reports, more than one way where the rule knows more. */
const SHAPES: Record<string, fc.Arbitrary<string>[]> = {
  aws: [
    letters(40).map((key) => `aws_secret_access_key = "${key}"`),
    letters(40).map((key) => `'SecretAccessKey': '${key}'`),
  ],
  privatekey: [
    fc
      .constantFrom("", "RSA ", "EC ", "OPENSSH ")
      .map((type) => `-----BEGIN ${type}PRIVATE KEY-----\n${PEM}\n-----END ${type}PRIVATE KEY-----`),
  ],
  npm: [letters(36).map((key) => `npm_${key}`)],
  basicauth: [shaped(/^(?:https|ftp):\/\/[a-z]{4,8}:[A-Za-z0-9_-]{8,20}@[a-z]{3,8}\.(?:net|io)$/)],
  slack: [
    shaped(/^(?:xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-[0-9]{8}-[A-Za-z0-9]{12}$/),
    shaped(/^https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8}\/B[A-Z0-9]{8}\/[A-Za-z0-9]{24}$/),
  ],
  sendgrid: [shaped(/^SG\.[A-Za-z0-9_]{22}\.[A-Za-z0-9_]{43}$/)],
  shopify: [shaped(/^(?:shppa|shpca|shpat|shpss)_[a-f0-9]{32}$/)],
  github: [shaped(/^gh[pousr]_[A-Za-z0-9]{36}$/), shaped(/^github_pat_[A-Za-z0-9_]{82}$/)],
  openai: [
    shaped(/^sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}$/),
    shaped(/^sk-proj-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{74}$/),
  ],
  anthropic: [shaped(/^sk-ant-api0\d-[A-Za-z0-9_-]{93}AA$/)],
  linear: [shaped(/^lin_api_[A-Za-z0-9]{40}$/)],
  "1password": [letters(82).map((text) => `ops_${Buffer.from(JSON.stringify({ email: text })).toString("base64")}`)],
  "database-connection-string": [
    shaped(/^(?:postgresql|mysql|mongodb|mongodb\+srv):\/\/[a-z]{4,8}:[A-Za-z0-9!$%&*+]{8,20}@[a-z]{4,8}:\d{4}\/db$/),
  ],
};

const LEFT_OUT = ["gcp", "filter-comments"];
const nameOf = (id: string) => id.replace("@secretlint/secretlint-rule-", "");

test("every rule of the preset that is used has shapes here, so an update that adds one fails", () => {
  const used = rules.map(({ meta }) => nameOf(meta.id)).filter((name) => !LEFT_OUT.includes(name));
  expect(used.sort()).toEqual(Object.keys(SHAPES).sort());
});

const isCaught = (text: string) => {
  const { kind, isSuspicious } = detect(text);
  return kind !== null || isSuspicious;
};

describe.each(Object.entries(SHAPES))("what the %s rule reports", (name, shapes) => {
  test("it does report its shapes", async () => {
    for (const shape of shapes) {
      const reports = await Promise.all(fc.sample(shape, 5).map((text) => secondOpinion([`\n${text}\n`])));
      expect(reports.flat().some(({ kind }) => kind === `${name} credential`)).toBe(true);
    }
  });

  test("never slips past the condition for asking, whole, damaged or within other text", async () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom("", "x", "-", "_", ":", "@", "/", " ", "=", '"')), {
      maxLength: 3,
    });
    const noise = fc.string({ maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(...shapes), edits, noise, noise, async (shape, changes, before, after) => {
        let text = `${before}${shape}${after}`;
        for (const [place, put] of changes)
          text = `${text.slice(0, place % text.length)}${put}${text.slice((place % text.length) + 1)}`;
        if (isCaught(text)) return;
        expect(await secondOpinion([text])).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

test("random text that is not suspicious has nothing to report", async () => {
  const words = fc.constantFrom(
    "secret",
    "key",
    "://",
    "@",
    ":",
    "token",
    "sg.",
    "SG.",
    "_",
    "-",
    "BEGIN",
    "PRIVATE KEY",
    "aws",
    "=",
    '"',
    " ",
    "a1B2c3D4e5",
    "mysql",
    "xox",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 30 }), async (parts) => {
      const text = parts.join("");
      if (!isCaught(text)) expect(await secondOpinion([text])).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

describe("asking", () => {
  const token = "github_pat_11ABCDEFG0123456789ab_cdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ01234";

  test("it names the text at fault and the rule, nothing else", async () => {
    const findings = await secondOpinion(["clean", `x ${token.slice(0, 93)} y`, "clean"]);
    expect(findings).toEqual([{ textIndex: 1, kind: "github credential" }]);
  });

  test("a comment in the text cannot switch it off", async () => {
    const text = `secretlint-disable\n${token.slice(0, 93)}\nsecretlint-enable`;
    expect(await secondOpinion([`/* secretlint-disable */ ${text}`])).toHaveLength(1);
  });

  test("a placeholder is none", async () => {
    expect(await secondOpinion([`ghp_${"x".repeat(36)}`, "postgres://<user>:<password>@<host>:5432/db"])).toEqual([]);
  });
});
