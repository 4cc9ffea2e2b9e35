import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { findProvider, listProviders, type PerformCall, perform, registerProvider } from "@/server/connectors/perform";
import { defineAction } from "@/server/domain/action";
import { registerAction } from "@/server/domain/actions/registry";
import { secretsIn } from "@/server/domain/credential";
import { Secret } from "@/server/vault/secret";
import { closeAll, opened, type Running, runEcho } from "@/test/support/echo";

afterEach(closeAll);

const value = "Bearer s3cr3t-t0ken-4711";
const stored = new Secret(JSON.stringify({ kind: "header", name: "Authorization", value }));

const callFor = (echo: Running, change: Partial<PerformCall> = {}): PerformCall => ({
  action: "http.request",
  args: { method: "GET", url: `${echo.origin}/echo` },
  connection: { provider: "http", config: { origins: [echo.origin] } },
  credential: stored,
  requestId: "req_1",
  allow: { methods: ["GET", "POST"], schemes: ["http"], hosts: ["127.0.0.1"], ports: [echo.port], pathPrefixes: ["/"] },
  trusts: () => true,
  signal: new AbortController().signal,
  privateHosts: [echo.host],
  ...change,
});

describe("performing", () => {
  test("sends the credential and masks it in what comes back", async () => {
    const echo = await opened(runEcho());
    const outcome = await perform(callFor(echo));
    expect(outcome.kind).toBe("succeeded");
    const text = JSON.stringify(outcome);
    expect(text).toContain("authorization");
    expect(text).toContain("[secret]");
    expect(text).not.toContain("s3cr3t");
  });

  test.each([
    ["an action that does not exist", { action: "http.delete_everything" }, "action_unknown"],
    ["a provider that does not exist", { connection: { provider: "ftp", config: {} } }, "action_unknown"],
    ["an action of another provider", { action: "email.send" }, "action_unknown"],
    [
      "arguments of another shape",
      { args: { method: "GET", url: "http://127.0.0.1/", extra: 1 } },
      "arguments_invalid",
    ],
    ["no allow-list", { allow: undefined }, "not_allowed"],
    ["an empty allow-list", { allow: {} }, "not_allowed"],
    ["a credential that is not JSON", { credential: new Secret("s3cr3t-t0ken") }, "credential_malformed"],
    [
      "a credential of another kind",
      { credential: new Secret('{"kind":"password","user":"u","password":"s3cr3t-t0ken"}') },
      "credential_malformed",
    ],
    ["malformed settings", { connection: { provider: "http", config: { origin: "x" } } }, "connection_malformed"],
  ] as const)("%s fails and says why without content", async (_name, change, code) => {
    const echo = await opened(runEcho());
    const outcome = await perform(callFor(echo, change));
    expect(outcome).toMatchObject({ kind: "failed", code });
    expect(JSON.stringify(outcome)).not.toContain("s3cr3t");
  });
});

test("a connector that breaks leaves a write unknown and a read failed", async () => {
  const action = (name: string, effect: "read" | "write") =>
    defineAction({
      name,
      provider: "broken",
      summary: "",
      capability: "broken",
      revision: 1,
      risk: "low",
      undo: null,
      price: null,
      honoursIdempotencyKey: false,
      input: z.strictObject({}),
      allowList: z.strictObject({}),
      effect: () => effect,
      irreversible: () => false,
      outward: () => false,
      targets: () => [],
      refuse: () => null,
    });
  registerAction(action("broken.read", "read"));
  registerAction(action("broken.write", "write"));
  registerProvider({
    name: "broken",
    capabilities: ["broken"],
    config: z.strictObject({}),
    credentialKinds: [],
    account: () => "",
    perform: async () => {
      throw new Error("s3cr3t");
    },
  });
  const call = {
    ...callFor({ origin: "", host: "", port: 0, close: async () => undefined }),
    args: {},
    connection: { provider: "broken", config: {} },
    credential: null,
    allow: {},
  };
  expect(await perform({ ...call, action: "broken.read" })).toMatchObject({ kind: "failed", code: "connector_broke" });
  expect(await perform({ ...call, action: "broken.write" })).toMatchObject({
    kind: "outcome_unknown",
    code: "connector_broke",
  });
});

test("the list of providers holds no stand-in, and a name is taken once", () => {
  expect(
    listProviders()
      .map((provider) => provider.name)
      .filter((name) => name !== "broken"),
  ).toEqual(["http", "smtp"]);
  expect(findProvider("bench")).toBeNull();
  const [first] = listProviders();
  expect(first && (() => registerProvider(first))).toThrow();
});

test("the texts to mask include every part and pair in which a credential travels", () => {
  const basic = `Basic ${Buffer.from("robot:hunter2-hunter2").toString("base64")}`;
  expect(secretsIn({ kind: "header", name: "authorization", value: basic })).toContain("hunter2-hunter2");
  expect(secretsIn({ kind: "header", name: "authorization", value })).toContain("s3cr3t-t0ken-4711");
  expect(secretsIn({ kind: "password", user: "robot", password: "hunter2-hunter2" })).toEqual([
    "hunter2-hunter2",
    "robot:hunter2-hunter2",
    "\0robot\0hunter2-hunter2",
  ]);
});
