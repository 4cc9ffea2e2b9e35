import { describe, expect, test } from "vitest";
import type { ActionArguments } from "@/server/domain/action";
import { httpRequest, MAX_HTTP_BODY_BYTES } from "@/server/domain/actions/http-request";

const url = "https://api.example.com/v1/orders";

function parsed(raw: unknown): ActionArguments {
  const result = httpRequest.parse(raw);
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.args;
}
const refusals = (raw: unknown) => {
  const result = httpRequest.parse(raw);
  return result.ok ? [] : result.refusals;
};
const urlRule = (raw: string) => refusals({ method: "GET", url: raw })[0];

const allow = {
  methods: ["GET", "POST"],
  schemes: ["https"],
  hosts: ["api.example.com", "*.svc.example.com", "[2001:db8::1]"],
  ports: [443, 8443],
  pathPrefixes: ["/v1", "/open/"],
  headers: ["Accept"],
};
const check = (raw: unknown, list: unknown = allow) => httpRequest.checkAllowList(list, parsed(raw));

describe("a URL about which readers disagree is refused", () => {
  test.each([
    ["ftp://api.example.com/", "url_malformed"],
    ["//api.example.com/", "url_malformed"],
    ["/v1/orders", "url_malformed"],
    ["https:api.example.com", "url_malformed"],
    ["https:///api.example.com/", "url_malformed"],
    ["https://", "url_malformed"],
    ["https://api.example.com/a b", "url_malformed"],
    ["https://api.example.com/\tv1", "url_malformed"],
    ["https://api.example.com/v1\r\nHost: evil.example", "url_malformed"],
    ["https://api.example.com/\u0000", "url_malformed"],
    ["https://ａpi.example.com/", "url_malformed"],
    ["https://api.exаmple.com/", "url_malformed"],
    ["https://api.example.com/%zz", "url_malformed"],
    ["https://api.example.com/v1%00.json", "url_malformed"],
    ["https://api.example.com/v1#top", "url_fragment"],
    ["https://api.example.com#@evil.example/", "url_fragment"],
    ["https://api.example.com\\@evil.example/", "url_backslash"],
    ["https:\\\\api.example.com/", "url_backslash"],
    ["https://user@api.example.com/", "url_userinfo"],
    ["https://api.example.com:443@evil.example/", "url_userinfo"],
    ["https://api.example.com%40evil.example/", "url_host_not_plain"],
    ["https://api.example.com%2eevil.example/", "url_host_not_plain"],
    ["https://api.example.com./", "url_host_not_plain"],
    ["https://api.example.com:99999/", "url_host_not_plain"],
    ["https://api.example.com:/", "url_host_not_plain"],
    ["https://2130706433/", "url_host_not_plain"],
    ["https://0x7f.0.0.1/", "url_host_not_plain"],
    ["https://0177.0.0.1/", "url_host_not_plain"],
    ["https://127.1/", "url_host_not_plain"],
    ["https://[::ffff:127.0.0.1]/", "url_host_not_plain"],
    ["https://[2001:db8:0::1]/", "url_host_not_plain"],
    ["https://[fe80::1%25eth0]/", "url_host_not_plain"],
    ["https://api.example.com/v1/../admin", "url_dot_segments"],
    ["https://api.example.com/v1/./x", "url_dot_segments"],
    ["https://api.example.com/v1/..", "url_dot_segments"],
    ["https://api.example.com/v1/..;/admin", "url_dot_segments"],
    ["https://api.example.com/v1/%2e%2e/admin", "url_encoded_separator"],
    ["https://api.example.com/v1/.%2E/admin", "url_encoded_separator"],
    ["https://api.example.com/v1/%252e%252e/admin", "url_encoded_separator"],
    ["https://api.example.com/v1%2fadmin", "url_encoded_separator"],
    ["https://api.example.com/v1/..%5cadmin", "url_encoded_separator"],
  ])("%s", (raw, rule) => {
    expect(urlRule(raw)).toEqual({ field: "url", rule });
  });

  test.each([
    "https://api.example.com",
    "HTTPS://API.Example.com/v1",
    "https://api.example.com:443/v1?x=a/../b&y=%2f%2e",
    "http://127.0.0.1:3101/echo",
    "https://[2001:db8::1]:8443/v1/a-b_c~d!$&'()*+,;=:@",
    "https://xn--bcher-kva.example/v1/b%C3%BCcher",
  ])("an ordinary one is not: %s", (raw) => {
    expect(refusals({ method: "GET", url: raw })).toEqual([]);
  });
});

describe("the schema names what it refuses", () => {
  test.each([
    [{ method: "GET", url, extra: 1 }, "extra", "unrecognized_keys"],
    [{ method: "get", url }, "method", "invalid_value"],
    [{ method: "CONNECT", url }, "method", "invalid_value"],
    [{ url }, "method", "invalid_value"],
    [{ method: "GET", url: 5 }, "url", "invalid_type"],
    [{ method: "GET", url: `https://api.example.com/${"a".repeat(2_048)}` }, "url", "too_big"],
    [{ method: "GET", url, body: "x" }, "body", "body_without_effect"],
    [{ method: "POST", url, body: 7 }, "body", "invalid_union"],
    [{ method: "POST", url, body: "é".repeat(MAX_HTTP_BODY_BYTES / 2 + 1) }, "body", "too_big"],
    [{ method: "POST", url, body: { a: "x".repeat(MAX_HTTP_BODY_BYTES) } }, "body", "too_big"],
    [{ method: "POST", url, body: "\ud800" }, "body", "text_malformed"],
    [{ method: "POST", url, headers: { "x-a": "1\r\nx-b: 2" } }, "headers.x-a", "header_value"],
    [{ method: "POST", url, headers: { "x-a": "é" } }, "headers.x-a", "header_value"],
    [{ method: "POST", url, headers: { "x a": "1" } }, "headers.x a", "header_name"],
    [{ method: "POST", url, headers: { "X-A": "1", "x-a": "2" } }, "headers", "header_duplicate"],
  ])("%j", (raw, field, rule) => {
    expect(refusals(raw)).toContainEqual({ field, rule });
  });

  test("a body nested beyond the limit is refused without exhausting the stack", () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    expect(refusals({ method: "POST", url, body: deep })).toContainEqual({ field: "body", rule: "too_deep" });
  });

  test.each([
    "Host",
    "content-length",
    "Connection",
    "Transfer-Encoding",
    "transfer_encoding",
    "Authorization",
    "Cookie",
    "Proxy-Authorization",
    "proxy-anything",
    "Upgrade",
    "Expect",
    "Content-Encoding",
    "X-HTTP-Method-Override",
    "x_http_method_override",
    "X-Forwarded-For",
    "Sec-WebSocket-Key",
  ])("agents never set %s, whatever the grant lists", (name) => {
    expect(refusals({ method: "GET", url, headers: { [name]: "1" } })).toEqual([
      { field: `headers.${name}`, rule: "header_forbidden" },
    ]);
  });
});

describe("the allow-list", () => {
  test("lets through what it lists", () => {
    expect(check({ method: "GET", url })).toBeNull();
    expect(check({ method: "POST", url: "https://a.b.svc.example.com:8443/open/x", body: { a: 1 } })).toBeNull();
    expect(check({ method: "GET", url: "https://[2001:db8::1]/v1" })).toBeNull();
    expect(check({ method: "GET", url, headers: { ACCEPT: "text/plain" } })).toBeNull();
  });

  test.each([
    [{ method: "DELETE", url }, "method", "method_not_allowed"],
    [{ method: "GET", url: "http://api.example.com/v1" }, "url", "scheme_not_allowed"],
    [{ method: "GET", url: "https://evil.example/v1" }, "url", "host_not_allowed"],
    [{ method: "GET", url: "https://api.example.com.evil.example/v1" }, "url", "host_not_allowed"],
    [{ method: "GET", url: "https://xapi.example.com/v1" }, "url", "host_not_allowed"],
    [{ method: "GET", url: "https://svc.example.com/v1" }, "url", "host_not_allowed"],
    [{ method: "GET", url: "https://evilsvc.example.com/v1" }, "url", "host_not_allowed"],
    [{ method: "GET", url: "https://api.example.com:444/v1" }, "url", "port_not_allowed"],
    [{ method: "GET", url: "https://api.example.com/v10" }, "url", "path_not_allowed"],
    [{ method: "GET", url: "https://api.example.com/V1" }, "url", "path_not_allowed"],
    [{ method: "GET", url: "https://api.example.com/v1;x" }, "url", "path_not_allowed"],
    [{ method: "GET", url: "https://api.example.com//v1" }, "url", "path_not_allowed"],
    [{ method: "GET", url: "https://api.example.com/open" }, "url", "path_not_allowed"],
    [{ method: "GET", url, headers: { "x-other": "1" } }, "headers.x-other", "header_not_allowed"],
  ])("refuses %j", (raw, field, rule) => {
    expect(check(raw)).toEqual({ field, rule });
  });

  test.each(["methods", "schemes", "hosts", "ports", "pathPrefixes"])("without %s allows nothing", (name) => {
    expect(check({ method: "GET", url }, { ...allow, [name]: [] })).not.toBeNull();
    expect(check({ method: "GET", url }, { ...allow, [name]: undefined })).not.toBeNull();
  });

  test.each([
    { list: undefined },
    { list: null },
    { list: {} },
    { list: [] },
    { list: "all" },
    { list: { ...allow, everything: true } },
    { list: { ...allow, hosts: ["*"] } },
  ])("that is missing or malformed allows nothing: %j", ({ list }) => {
    expect(httpRequest.checkAllowList(list, parsed({ method: "GET", url }))).not.toBeNull();
  });

  test.each([
    "*",
    "*.com",
    "*.",
    "*.0.1",
    "*.1",
    "a.*.example",
    "https://a.example",
    "a.example:443",
    "a.example/x",
    "127.1",
  ])("cannot hold the host %s", (host) => {
    expect(httpRequest.allowList.safeParse({ hosts: [host] }).success).toBe(false);
  });
});

describe("what a call is", () => {
  const trustsNobody = () => false;
  test("GET and HEAD read, everything else is an irreversible write", () => {
    const of = (method: string) => httpRequest.classify(parsed({ method, url }), trustsNobody);
    expect(["GET", "HEAD"].map((m) => of(m).effect)).toEqual(["read", "read"]);
    expect(["POST", "PUT", "PATCH", "DELETE"].map((m) => of(m).effect)).toEqual(Array(4).fill("write"));
    expect(of("GET").irreversible).toBe(false);
    expect(of("DELETE").irreversible).toBe(true);
  });

  test("it is outward unless the very host and port are trusted", () => {
    const outward = (raw: string, host: string) =>
      httpRequest.classify(parsed({ method: "GET", url: raw }), (destination) => destination === host).outward;
    expect(outward("http://127.0.0.1:3101/x", "127.0.0.1:3101")).toBe(false);
    expect(outward("http://127.0.0.1:3102/x", "127.0.0.1:3101")).toBe(true);
    expect(outward("https://API.example.com:443/x", "api.example.com")).toBe(false);
  });

  test("arguments that nobody parsed are not accepted", () => {
    const forged = { method: "GET", url } as unknown as ActionArguments;
    expect(() => httpRequest.classify(forged, trustsNobody)).toThrow();
    expect(() => httpRequest.checkAllowList(allow, forged)).toThrow();
  });
});
