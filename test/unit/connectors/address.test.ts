import { describe, expect, test } from "vitest";
import { performHttp } from "@/server/connectors/http/perform";
import { addressKind } from "@/server/connectors/net/address";
import { isNamedByOperator, type Resolver, resolveTarget } from "@/server/connectors/net/resolve";
import { createRedactor } from "@/server/vault/redactor";

const PUBLIC = [
  "8.8.8.8",
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "192.169.0.1",
  "2606:4700::1111",
  "2a00:1450::1",
];

const PRIVATE = [
  "127.0.0.1",
  "127.255.255.254",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "100.127.255.255",
  "::1",
  "0:0:0:0:0:0:0:1",
  "fc00::1",
  "fd12:3456::1",
];

const NEVER = [
  // Unspecified, broadcast, multicast, reserved.
  "0.0.0.0",
  "0.1.2.3",
  "255.255.255.255",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "192.0.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "192.88.99.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.175.48.1",
  "::",
  "ff02::1",
  "ff0e::1",
  "100::1",
  "2001:db8::1",
  "3fff::1",
  "5f00::1",
  "4000::1",
  "e000::1",
  // Link-local and metadata.
  "169.254.169.254",
  "169.254.0.1",
  "168.63.129.16",
  "100.100.100.200",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  // IPv4 inside IPv6: mapped, compatible, translated, 6to4, Teredo, ISATAP.
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::ffff:0:127.0.0.1",
  "::127.0.0.1",
  "::8.8.8.8",
  "64:ff9b::127.0.0.1",
  "64:ff9b::808:808",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::1",
  "2002:a00:1::",
  "2001:0:7f00:1::1",
  "2001::1",
  "2001:2::1",
  "2001:3::1",
  "2001:10::1",
  "2001:20::1",
  "2606:4700::5efe:7f00:1",
  "2606:4700::200:5efe:a00:1",
  // Not an address as a resolver writes it.
  "0x7f.0.0.1",
  "0177.0.0.1",
  "2130706433",
  "127.1",
  "127.0.0.1.",
  " 127.0.0.1",
  "[::1]",
  "localhost",
  "",
];

describe("an address", () => {
  test.each(PUBLIC)("%s is public", (address) => expect(addressKind(address)).toBe("public"));
  test.each(PRIVATE)("%s is private", (address) => expect(addressKind(address)).toBe("private"));
  test.each(NEVER)("%j is never reached", (address) => expect(addressKind(address)).toBe("never"));
});

const call = {
  action: "http.request",
  config: { origins: [] },
  credential: null,
  requestId: "req_1",
  trusts: () => true,
  signal: new AbortController().signal,
  privateHosts: [] as string[],
  redactor: createRedactor([]),
};
const allowFor = (host: string) => ({
  methods: ["GET"],
  schemes: ["http"],
  hosts: [host],
  ports: [9],
  pathPrefixes: ["/"],
});
const answering =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("a name is refused when any of its addresses may not be reached", () => {
  test.each([...PRIVATE, ...NEVER.filter((address) => /^[0-9a-f:.%]+$/.test(address) && address !== "")])(
    "%s, alone or beside a public one",
    async (address) => {
      for (const addresses of [[address], ["8.8.8.8", address], [address, "8.8.8.8"]]) {
        const args = { method: "GET", url: "http://api.example.com:9/" };
        const outcome = await performHttp(
          { ...call, args, allow: allowFor("api.example.com") },
          { resolver: answering(...addresses) },
        );
        expect(outcome).toMatchObject({ kind: "failed", code: "address_refused" });
      }
    },
  );

  test.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "[::1]", "[fd00:ec2::254]", "[2002:7f00:1::]"])(
    "and so is the address itself: %s",
    async (host) => {
      const args = { method: "GET", url: `http://${host}:9/` };
      const outcome = await performHttp({ ...call, args, allow: allowFor(host) });
      expect(outcome).toMatchObject({ kind: "failed", code: "address_refused" });
    },
  );
});

describe("the operator", () => {
  const signal = new AbortController().signal;
  const resolve = (address: string, privateHosts: string[], port = 80) =>
    resolveTarget({ hostname: "intranet.example", port }, { privateHosts, signal, resolver: answering(address) });

  test("may let a named host, or host and port, be private", async () => {
    expect((await resolve("10.0.0.5", ["intranet.example"])).ok).toBe(true);
    expect((await resolve("10.0.0.5", ["INTRANET.example:80"])).ok).toBe(true);
    expect((await resolve("10.0.0.5", ["intranet.example:8080"])).ok).toBe(false);
    expect((await resolve("10.0.0.5", ["example", "x.intranet.example", "*.example", "10.0.0.5"])).ok).toBe(false);
  });

  test("cannot let a name reach metadata, link-local or translated addresses", async () => {
    for (const address of [
      "169.254.169.254",
      "fe80::1",
      "::ffff:10.0.0.5",
      "64:ff9b::a00:5",
      "0.0.0.0",
      "fd00:ec2::254",
    ]) {
      expect(await resolve(address, ["intranet.example"])).toEqual({ ok: false, code: "address_refused" });
    }
  });

  test("names IPv6 hosts in brackets", () => {
    expect(isNamedByOperator(["[::1]:3000"], { hostname: "[::1]", port: 3000 })).toBe(true);
    expect(isNamedByOperator(["[::1]:3000"], { hostname: "[::1]", port: 3001 })).toBe(false);
  });
});

describe("a name", () => {
  const signal = AbortSignal.timeout(60);
  test("that does not exist, cannot be looked up or takes too long is said to", async () => {
    const target = { hostname: "api.example.com", port: 443 };
    const resolve = (resolver: Resolver, stop = new AbortController().signal) =>
      resolveTarget(target, { privateHosts: [], signal: stop, resolver });
    const throwing =
      (code: string): Resolver =>
      async () => {
        throw Object.assign(new Error("x"), { code });
      };
    expect(await resolve(throwing("ENOTFOUND"))).toEqual({ ok: false, code: "name_not_found" });
    expect(await resolve(throwing("EAI_AGAIN"))).toEqual({ ok: false, code: "name_lookup_failed" });
    expect(await resolve(async () => [])).toEqual({ ok: false, code: "name_not_found" });
    expect(await resolve(() => new Promise(() => undefined), signal)).toEqual({ ok: false, code: "timeout" });
  });
});
