import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatKey } from "@/server/domain/key-format";
import { detect } from "@/server/domain/secret-scan/detect";
import { hasValidChecksum } from "@/server/domain/secret-scan/format";
import { INFRASTRUCTURE_FORMATS } from "@/server/domain/secret-scan/formats-infrastructure";
import { SERVICE_FORMATS } from "@/server/domain/secret-scan/formats-services";

const FORMATS = [...INFRASTRUCTURE_FORMATS, ...SERVICE_FORMATS];
const kindIn = (text: string) => detect(text).kind;

/** The part of a pattern that describes the credential itself, without what must stand around it. */
const own = (pattern: RegExp) =>
  pattern.source
    .replace(/^\(\?<![^)]*\)/, "")
    .replace(/\(\?![^)]*\)$/, "")
    .replace(/\(\?=[^)]*\)/g, "");
const writable = FORMATS.filter(({ pattern }) => !/\(\?/.test(own(pattern).replace(/\(\?:/g, "")));

describe("each documented format is found wherever a text may hold it", () => {
  test("nearly all of them are tried here; the rest have examples below", () => {
    expect(FORMATS.length - writable.length).toBeLessThan(12);
    expect(writable.length).toBeGreaterThan(130);
  });

  test.each(writable.map((format) => [format.anchor, format] as const))("%s", (_anchor, { pattern }) => {
    // A body of digits alone or letters alone is legal for the pattern but is what no generator issues.
    const bodies = fc
      .stringMatching(new RegExp(`^${own(pattern)}$`))
      .filter((text) => /\d/.test(text) && !/x{6}|\*{4}|\.{3}/i.test(text));
    fc.assert(
      fc.property(
        bodies,
        fc.constantFrom(["", ""], ["Use ", " now."], ['{"k":"', '"}'], ["(", ")"], ["a=", "\n"], ["é", "é"]),
        (secret, [before, after]) => {
          expect(kindIn(`${before}${secret}${after}`)).not.toBeNull();
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("examples", () => {
  test.each([
    ["AWS access key id", "AKIAIOSFODNN7EXAMPLE"],
    ["AWS access key id", "key=ASIAQWERTYUIOPASDFGH;"],
    ["GitHub token", "token ghp_1234567890abcdefghijklmnopqrstuvwxyz"],
    ["GitHub fine-grained token", `github_pat_${"11ABCDE0Y0".repeat(8)}`],
    ["GitLab token", "glpat-abcdefghij1234567890"],
    ["Slack token", "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOp"],
    ["Slack webhook", "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklABCDEFGHIJKL"],
    ["Stripe secret key", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"],
    ["Google API key", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY"],
    ["Anthropic key", "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"],
    ["OpenAI key", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"],
    ["OpenAI key", "sk-abcd1234efgh5678ijkl9012mnop3456qrst7890uvwx1234"],
    ["SendGrid key", "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"],
    ["Mailgun key", "key-3ax6xnjp29jd6fds4gc373sgvjxteol0"],
    ["Telegram bot token", "bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"],
    ["Mailchimp key", "0123456789abcdef0123456789abcdef-us12"],
    ["Azure client secret", "abc8Q~dEfGhIjKlMnOpQrStUvWxYz0123456789"],
    ["JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"],
    ["private key", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC"],
    ["private key", "-----BEGIN EC PRIVATE KEY-----"],
    ["private key", "-----BEGIN PGP PRIVATE KEY BLOCK-----"],
    ["private key", "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI"],
    ["private key", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ"],
    ["password in a URL", "postgres://user:pass@db/x"],
    ["password in a URL", "mongodb+srv://app:S3cr3t@cluster0.mongodb.net/db"],
    ["password in a URL", "https://deploy:p4ssw0rd@git.corp.example/x.git"],
    ["password in a URL", "redis://:hunter2@cache:6379"],
  ])("%s: %s", (kind, text) => expect(kindIn(text)).toBe(kind));

  test("our own keys, whole or cut short", () => {
    const id = "0123456789ABCDEFGHJKMNPQRS";
    const key = formatKey({
      kind: "agent",
      orgId: `org_${id}`,
      id: `key_${id}`,
      secret: "aB3".repeat(15).slice(0, 43),
    });
    expect(kindIn(`Use ${key}.`)).toBe("Countersign key");
    expect(kindIn(key.slice(0, -8))).toBe("Countersign key");
    expect(kindIn(`csk_user_${id}${id}_${"aB3".repeat(15)}`)).toBe("Countersign key");
  });
});

describe("what only stands in for a credential", () => {
  test.each([
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "AKIAXXXXXXXXXXXXXXXX",
    "sk_live_your_key_here_your_key",
    "postgres://app:***@db/x",
    "postgres://app:<password>@db/x",
    "postgres://app:$" + "{DB_PASSWORD}@db/x",
    "postgres://app:{{password}}@db/x",
    "postgres://app:$DB_PASSWORD@db/x",
    "postgres://db:5432/x",
    "https://corp.example:8443/a@b",
    "https://corp.example/?mail=a:b@c.example",
  ])("%s is left alone", (text) => expect(kindIn(text)).toBeNull());

  test("a token with a valid checksum is genuine whatever it looks like", () => {
    // The documented checksum: CRC-32 of the first thirty characters.
    expect(hasValidChecksum("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")).toBe(true);
    expect(hasValidChecksum("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18")).toBe(false);
    expect(kindIn("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")).toBe("GitHub token");
  });
});
