import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asEmail, asHttp } from "@/app/_lib/call-shape";
import { amountText, formatMicros, formatSpan, parseAmount, shortDigest } from "@/app/_lib/format";
import { headlineOf } from "@/app/_lib/headline";
import { htmlTargets } from "@/app/_lib/html-targets";
import { returnPath } from "@/app/_lib/return-path";
import { FOLD_BYTES, FOLD_LINES, splitText } from "@/app/_lib/split-text";
import { urlParts } from "@/app/_lib/url-parts";
import { mergeHeld, orderRows } from "@/app/_ui/approvals/held-list";
import { highlightLines } from "@/app/_ui/exact/highlight";
import { navFor } from "@/app/_ui/nav";

describe("an address in its parts", () => {
  it("shows a user name that poses as the site", () => {
    const parts = urlParts("https://paypal.com@api.\u0430pple.com/v2/refunds?id=42");
    expect(parts).toMatchObject({ user: "paypal.com", subdomain: "api.", site: "xn--pple-43d.com" });
    expect(parts?.displayHost).toBe("api.\u0430pple.com");
  });
  it("reads escapes in the path, but not those that would look like structure", () => {
    expect(urlParts("https://a.example/x%2Fy/%E2%80%AEz%252e")?.path).toBe("/x%2Fy/\u202ez%252e");
  });
  it("says what was written where it is not what would be used", () => {
    expect(urlParts("https://A.example/x/../y")?.normalized).toBe("https://a.example/y");
    expect(urlParts("https://a.example")?.normalized).toBeUndefined();
  });
  it("knows a bare address, a port and a fragment", () => {
    expect(urlParts("http://127.0.0.1:8080/#top")).toMatchObject({ isAddress: true, port: "8080", fragment: "top" });
  });
  it("lists query fields in order, doubles included", () => {
    expect(urlParts("https://a.example/?x=1&x=2&y")?.query).toEqual([
      ["x", "1"],
      ["x", "2"],
      ["y", ""],
    ]);
  });
  it("is nothing for what is no address", () => {
    expect(urlParts("not an address")).toBeUndefined();
  });
});

describe("folding", () => {
  it("never loses a character, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (text, times) => {
        const whole = text.repeat(times);
        const { head, rest } = splitText(whole);
        expect(head + rest).toBe(whole);
      }),
      { numRuns: 50 },
    );
  });
  it("shows sixty lines or eight kilobytes, with the whole count", () => {
    const lines = splitText(Array.from({ length: 312 }, (_, i) => `row ${i}`).join("\n"));
    expect(lines.head.split("\n")).toHaveLength(FOLD_LINES);
    expect(lines.lines).toBe(312);
    const long = splitText("é".repeat(20_000));
    expect(long.bytes).toBe(40_000);
    expect(new TextEncoder().encode(long.head).length).toBeLessThanOrEqual(FOLD_BYTES);
  });
  it("does not cut a character in half", () => {
    expect(splitText("😀".repeat(5000)).head.isWellFormed()).toBe(true);
  });
});

describe("highlighting", () => {
  it("never changes the text, hostile or not", () => {
    const joined = (text: string) =>
      highlightLines(text, "json")
        .map((line) => line.map(([, part]) => part).join(""))
        .join("\n");
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => joined(text) === text));
    const valid = JSON.stringify({ a: [1, "two", null, { b: true }] }, null, 2);
    expect(joined(valid)).toBe(valid);
  });
  it("adds classes to what it knows", () => {
    expect(highlightLines('{"a": 1}', "json").flat()).toContainEqual(["tok-number", "1"]);
  });
  it("gives up in time on anything deep or long", () => {
    const start = performance.now();
    highlightLines("[".repeat(60_000), "json");
    highlightLines("<".repeat(200_000), "json");
    expect(performance.now() - start).toBeLessThan(1500);
  });
});

describe("what a call would do, in words", () => {
  const mail = { to: ["dana@acme.example", "New@corp.example"], subject: "s", text: "t" };
  it("counts addresses and the new ones among them", () => {
    const call = { action: "email.send", arguments: mail, seenTargets: ["dana@acme.example"] };
    expect(headlineOf(call).wants).toBe("send an e-mail to 2 addresses, 1 of them new");
    expect(headlineOf({ ...call, seenTargets: [] }).wants).toBe("send an e-mail to 2 addresses, all new");
  });
  it("tells a read from a write", () => {
    const call = (method: string) => ({
      action: "http.request",
      arguments: { method, url: "https://api.a.example/x" },
    });
    expect(headlineOf(call("GET")).wants).toBe("fetch from api.a.example");
    expect(headlineOf(call("POST")).act).toBe("send POST to api.a.example");
  });
  it("falls back to the action's name where the arguments are not what they should be", () => {
    expect(headlineOf({ action: "email.send", arguments: { to: "x" } }).wants).toBe("run email.send");
    expect(headlineOf({ action: "evil\u202e", arguments: null }).wants).toBe("run an action");
  });
  it("no field is dropped from the readable views", () => {
    expect(asEmail({ ...mail, extra: 1 })?.others).toEqual([["extra", 1]]);
    expect(asHttp({ method: "GET", url: "u", body: { a: 1 }, x: null })).toMatchObject({
      body: { a: 1 },
      others: [["x", null]],
    });
    expect(asEmail({ ...mail, cc: [1] })).toBeUndefined();
    expect(asHttp({ method: "GET", url: "u", headers: { a: 1 } })).toBeUndefined();
  });
  it("finds where HTML points and what it loads", () => {
    const html = `<a href="https://x.example">y</a><img src='//z.example/p'><div style="background:url(https://w.example/b)">`;
    expect(htmlTargets(html)).toEqual(["https://x.example", "//z.example/p", "https://w.example/b"]);
  });
});

describe("amounts", () => {
  it.each([
    [1_500_000n, "EUR", "1.50 EUR"],
    [2_000n, "EUR", "0.002 EUR"],
    [0n, "EUR", "0.00 EUR"],
    [-12_345_678_900_000n, "USD", "-12,345,678.90 USD"],
    [7_000_000n, "JPY", "7 JPY"],
    [9_223_372_036_854_775_807n, "EUR", "9,223,372,036,854.775807 EUR"],
  ])("%s micro-units of %s are %s", (micros, currency, text) => {
    expect(formatMicros(micros, currency)).toBe(text);
  });
  it("survive being typed again", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }), (micros) => {
        expect(parseAmount(amountText(micros))).toBe(micros.toString());
      }),
    );
  });
  it.each(["", "1,5", "-1", "1.1234567", "1e3", "x"])("%j is no amount", (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });
});

it.each([
  [45_000, "45 s"],
  [390_000, "6 min"],
  [12_000_000, "3 h 20 min"],
  [14 * 3_600_000, "14 h"],
  [12 * 86_400_000, "12 days"],
  [-5, "0 s"],
])("%d ms are %s", (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

it("a digest is shown by its first sixteen digits in fours", () => {
  expect(shortDigest("9f2c41aa70be55d1".repeat(4))).toBe("9f2c 41aa 70be 55d1");
});

describe("after signing in", () => {
  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/api/v1/x",
    "/sign-in",
    undefined,
  ])("%s leads home", (to) => {
    expect(returnPath(to)).toBe("/");
  });
  it("a page of ours is where one goes", () => {
    expect(returnPath("/approvals/apr_1?x=1")).toBe("/approvals/apr_1?x=1");
  });
});

describe("the navigation", () => {
  it("opens on approvals for who decides, and shows a member only what they may read", () => {
    expect(navFor("approver", { demo: false })[0]?.path).toBe("/approvals");
    const paths = navFor("member", { demo: false }).map(({ path }) => path);
    expect(paths).toEqual(["/agents", "/controls", "/slack", "/settings"]);
  });
  it("shows the mailbox in the demo alone, and has one letter a place", () => {
    const items = navFor("owner", { demo: true });
    expect(items.at(-1)?.path).toBe("/mailbox");
    expect(navFor("owner", { demo: false }).some(({ path }) => path === "/mailbox")).toBe(false);
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
  });
});

describe("the list of approvals stays still", () => {
  const row = (id: string, isOpen: boolean, v = 1) => ({ id, isOpen, v });
  it("in use: its rows keep their places, each as new as it can be, and none is added or taken away", () => {
    const entries = [row("c", true), row("b", false, 2)];
    expect(mergeHeld([row("a", true), row("b", true)], entries)).toEqual([row("a", true), row("b", false, 2)]);
  });
  it("a decided row keeps its place; a new one goes behind the last that waits", () => {
    const kept = [row("a", true), row("b", true), row("z", false)];
    const entries = [row("b", true), row("n", true), row("a", false, 2), row("z", false), row("y", false)];
    expect(orderRows(kept, entries).map(({ id }) => id)).toEqual(["a", "b", "n", "z", "y"]);
  });
  it("what is no longer there goes once the list is not in use", () => {
    expect(orderRows([row("a", true), row("b", true)], [row("b", true)])).toEqual([row("b", true)]);
  });
});
