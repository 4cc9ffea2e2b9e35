import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { Checkbox } from "@base-ui/react/checkbox";
import { Select } from "@base-ui/react/select";
import { Switch } from "@base-ui/react/switch";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import {
  contentSecurityPolicy,
  HIDDEN_INPUT_STYLE_HASHES,
  TRUSTED_TYPES_SCRIPT,
} from "@/app/_lib/content-security-policy";

const policy = contentSecurityPolicy({ nonce: "abc", dev: false });

describe("the policy of pages", () => {
  it("runs only scripts with the nonce, and none made from text", () => {
    expect(policy).toContain("script-src 'nonce-abc' 'strict-dynamic';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe-(eval|inline)/);
  });
  it("starts from nothing and names every source", () => {
    expect(policy.startsWith("default-src 'none';")).toBe(true);
    expect(policy).not.toMatch(/\*|https?:/);
  });
  it("can be framed by nobody and sends forms nowhere else", () => {
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
  });
  it("allows eval to the development build alone", () => {
    expect(contentSecurityPolicy({ nonce: "abc", dev: true })).toContain("'unsafe-eval'");
  });
});

/** The style attributes that the library's form components put into server HTML. */
function styleAttributes(): string[] {
  const elements = [
    createElement(Switch.Root, { key: "a", name: "a" }),
    createElement(Switch.Root, { key: "unnamed" }),
    createElement(Checkbox.Root, { key: "b", name: "b" }),
    createElement(Select.Root, { key: "c", name: "c" }),
  ];
  const html = elements.map((element) => renderToStaticMarkup(element)).join("");
  return [...new Set([...html.matchAll(/ style="([^"]*)"/g)].map((match) => match[1] ?? ""))];
}

it("the two allowed style attributes are those of the installed component library", () => {
  const hashes = styleAttributes().map((text) => `sha256-${createHash("sha256").update(text).digest("base64")}`);
  expect(hashes.toSorted()).toEqual(HIDDEN_INPUT_STYLE_HASHES.toSorted());
});

describe("the default trusted types policy", () => {
  function createScriptURL(): (address: string) => string {
    let made: ((address: string) => string) | undefined;
    const trustedTypes = {
      createPolicy: (_name: string, rules: { createScriptURL: (address: string) => string }) => {
        made = rules.createScriptURL;
      },
    };
    const location = { origin: "https://app.example" };
    runInNewContext(TRUSTED_TYPES_SCRIPT, { self: { trustedTypes }, trustedTypes, location, URL, TypeError });
    if (!made) throw new Error("no policy was made");
    return made;
  }
  it.each(["/_next/static/chunks/a.js", "https://app.example/_next/static/b.js", "/sw.js"])("passes %s", (address) => {
    expect(createScriptURL()(address)).toBe(address);
  });
  it.each([
    "https://evil.example/_next/static/a.js",
    "/_next/static/../../api/v1/x",
    "//evil.example/sw.js",
    "/sw.js/../x",
    "data:text/javascript,1",
    "/api/v1/x.js",
  ])("refuses %s", (address) => {
    expect(() => createScriptURL()(address)).toThrow("refused");
  });
});
