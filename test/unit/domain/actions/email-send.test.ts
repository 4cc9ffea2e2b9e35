import { describe, expect, test } from "vitest";
import type { ActionArguments } from "@/server/domain/action";
import { emailSend, MAX_MAIL_BYTES } from "@/server/domain/actions/email-send";

const mail = { to: ["ann@corp.example"], subject: "Invoice 7", text: "Attached.\r\n\tYours" };

function parsed(raw: unknown): ActionArguments {
  const result = emailSend.parse(raw);
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.args;
}
const refusals = (raw: unknown) => {
  const result = emailSend.parse(raw);
  return result.ok ? [] : result.refusals;
};
const check = (raw: object, allow: unknown) => emailSend.checkAllowList(allow, parsed({ ...mail, ...raw }));

describe("an address that some mail software reads as another recipient is refused", () => {
  test.each([
    "Ann <ann@corp.example>",
    "<ann@corp.example>",
    '"ann"@corp.example',
    '"a@evil.example"@corp.example',
    "ann@corp.example, eve@evil.example",
    "ann@corp.example;eve@evil.example",
    "group: ann@corp.example;",
    "ann(comment)@corp.example",
    "ann@corp.example(comment)",
    "ann@(evil.example)corp.example",
    "ann@evil.example@corp.example",
    "ann%evil.example@corp.example",
    "evil.example!ann@corp.example",
    "@relay.example:ann@corp.example",
    "|cat@corp.example",
    "-f@corp.example",
    "ann@[127.0.0.1]",
    "ann@127.0.0.1",
    "ann@localhost",
    "ann@corp..example",
    "ann@-corp.example",
    "ann@corp.example.",
    ".ann@corp.example",
    "ann..b@corp.example",
    "ann@",
    "@corp.example",
    "ann",
    "",
    " ann@corp.example",
    "ann@corp.example ",
    "ann @corp.example",
    "mailto:ann@corp.example?bcc=eve@evil.example",
    `${"a".repeat(65)}@corp.example`,
  ])("%j", (address) => {
    expect(refusals({ ...mail, to: [address] })).toContainEqual({ field: "to[0]", rule: "address_malformed" });
  });

  test.each(["ann@cоrp.example", "änn@corp.example", "ann@büro.example", "ann@corp。example", "ann＠corp.example"])(
    "%j, since it is not ASCII",
    (address) => {
      expect(refusals({ ...mail, cc: [address] })).toEqual([{ field: "cc[0]", rule: "address_not_ascii" }]);
    },
  );

  test.each(["ann@corp.example\r\nBcc: eve@evil.example", "ann@corp.example\n", "ann@corp.example\u0000"])(
    "%j, since it breaks the line",
    (address) => {
      expect(refusals({ ...mail, bcc: [address] })).toEqual([{ field: "bcc[0]", rule: "text_malformed" }]);
    },
  );

  test.each(["ann@corp.example", "a.b+tag@sub.corp.example", "o'neil@corp.example", "x@xn--bro-hoa.example"])(
    "an ordinary one is not: %s",
    (address) => {
      expect(refusals({ ...mail, to: [address] })).toEqual([]);
    },
  );
});

describe("the schema names what it refuses", () => {
  test.each([
    [{ subject: "Hi\r\nBcc: eve@evil.example" }, "subject", "text_malformed"],
    [{ subject: "Hi\nX" }, "subject", "text_malformed"],
    [{ subject: "Hi\rX" }, "subject", "text_malformed"],
    [{ subject: "Hi\u0000" }, "subject", "text_malformed"],
    [{ subject: "Hi\u2028X" }, "subject", "text_malformed"],
    [{ subject: "invoice\u202efdp.exe" }, "subject", "text_malformed"],
    [{ subject: "x".repeat(501) }, "subject", "too_big"],
    [{ text: "a\u0000b" }, "text", "text_malformed"],
    [{ text: "\udc00" }, "text", "text_malformed"],
    [{ text: "é".repeat(MAX_MAIL_BYTES / 2) }, "text", "mail_too_large"],
    [{ html: "x".repeat(MAX_MAIL_BYTES) }, "html", "mail_too_large"],
    [{ to: [] }, "to", "too_small"],
    [{ to: Array(51).fill("a@corp.example") }, "to", "too_big"],
    [{ from: "boss@corp.example" }, "from", "unrecognized_keys"],
    [{ attachments: [{ path: "/etc/passwd" }] }, "attachments", "unrecognized_keys"],
    [{ headers: { "x-a": "1" } }, "headers", "unrecognized_keys"],
    [{ text: { path: "/etc/passwd" } }, "text", "invalid_type"],
    [{ html: { href: "http://169.254.169.254/" } }, "html", "invalid_type"],
  ])("%j", (change, field, rule) => {
    expect(refusals({ ...mail, ...change })).toContainEqual({ field, rule });
  });
});

describe("the allow-list", () => {
  test.each([undefined, {}, { addresses: [], domains: [] }, { domains: ["*"] }, { domains: [".com"] }, { all: true }])(
    "that is missing, empty or malformed lets nobody be written to: %j",
    (allow) => {
      expect(check({}, allow)).not.toBeNull();
    },
  );

  test("a suffix covers itself and what is under it, an exact domain only itself", () => {
    expect(check({ to: ["a@corp.example", "b@deep.sub.example"] }, { domains: [".example"] })).toBeNull();
    expect(check({ to: ["a@notexample.test"] }, { domains: [".example"] })?.rule).toBe("recipient_not_allowed");
    expect(check({ to: ["a@x.example.evil.test"] }, { domains: [".example"] })?.rule).toBe("recipient_not_allowed");
    expect(check({ to: ["a@CORP.example"] }, { domains: ["corp.example"] })).toBeNull();
    expect(check({ to: ["a@sub.corp.example"] }, { domains: ["corp.example"] })?.rule).toBe("recipient_not_allowed");
    expect(check({ to: ["a@evilcorp.example"] }, { domains: ["corp.example"] })?.rule).toBe("recipient_not_allowed");
  });

  test("every recipient counts, copies and blind copies included", () => {
    const allow = { domains: ["corp.example"], addresses: ["pat@other.example"] };
    expect(check({ cc: ["pat@other.example"] }, allow)).toBeNull();
    expect(check({ cc: ["eve@evil.example"] }, allow)).toEqual({ field: "cc[0]", rule: "recipient_not_allowed" });
    expect(check({ bcc: ["a@corp.example", "eve@evil.example"] }, allow)).toEqual({
      field: "bcc[1]",
      rule: "recipient_not_allowed",
    });
  });

  test("caps recipients and bytes", () => {
    const allow = { domains: [".example"], maxRecipients: 2, maxBytes: 20 };
    expect(check({ text: "x" }, allow)).toBeNull();
    expect(check({ text: "x", cc: ["b@x.example", "c@x.example"] }, allow)?.rule).toBe("too_many_recipients");
    expect(check({ text: "x".repeat(12) }, allow)?.rule).toBe("mail_over_grant");
  });
});

test("a mail is an irreversible write, outward unless every recipient is trusted", () => {
  const args = parsed({ ...mail, bcc: ["Eve@Evil.example"] });
  const trusts = (destination: string) => destination.endsWith("@corp.example");
  expect(emailSend.classify(args, trusts)).toEqual({
    effect: "write",
    irreversible: true,
    outward: true,
    risk: "medium",
    targets: ["ann@corp.example", "eve@evil.example"],
  });
  expect(emailSend.classify(parsed(mail), trusts).outward).toBe(false);
});

test("the headline names the first recipient, how many more there are, and the subject", () => {
  expect(emailSend.headline(parsed(mail))).toBe("Mail to ann@corp.example: Invoice 7");
  const many = { ...mail, to: ["Ann@corp.example", "bo@corp.example"], bcc: ["ann@corp.example", "cy@corp.example"] };
  expect(emailSend.headline(parsed(many))).toBe("Mail to ann@corp.example and 2 more: Invoice 7");
  expect(emailSend.headline(parsed({ ...mail, subject: "x".repeat(500) })).length).toBeLessThanOrEqual(200);
});
