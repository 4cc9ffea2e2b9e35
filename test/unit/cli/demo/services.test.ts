import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";
import { isNotice, openMailStore } from "@/server/cli/demo/mail-store";
import { startSmtp } from "@/server/cli/demo/smtp";
import { runEcho } from "@/test/support/echo";
import { SMTP_PASSWORD, SMTP_USER } from "@/test/support/smtp";
import { runMail } from "@/test/support/smtp-call";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-demo-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("the demo's mail server", () => {
  const tls = makeLocalCertificate();
  const start = async () => {
    const server = await startSmtp({
      port: 0,
      user: SMTP_USER,
      password: SMTP_PASSWORD,
      tls,
      store: openMailStore(directory),
    });
    const { port } = server.server.address() as AddressInfo;
    return { port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
  };

  test("keeps what the connector sends, and still has it after a restart", async () => {
    const server = await start();
    const args = { to: ["ann@corp.example", "bob@corp.example"], subject: "Grüße 7", text: "Hello\nthere" };
    const outcome = await runMail({ port: server.port, args, overrides: { ca: tls.cert } });
    await server.close();
    expect(outcome.kind).toBe("succeeded");
    const [mail, ...rest] = openMailStore(directory).list();
    expect(mail && isNotice(mail)).toBe(false);
    expect(rest).toEqual([]);
    expect(mail).toMatchObject({
      to: ["ann@corp.example", "bob@corp.example"],
      subject: "Grüße 7",
      text: "Hello\nthere",
    });
    expect(mail?.headers["message-id"]).toBe("<req_01TEST@corp.example>");
    expect(Date.parse(mail?.receivedAt ?? "")).toBeGreaterThan(0);
  });

  test("takes no password in the clear and no wrong one", async () => {
    const server = await start();
    expect(await runMail({ port: server.port, config: { tls: "none" } })).toMatchObject({ kind: "failed" });
    const credential = { kind: "password", user: SMTP_USER, password: "wrong-wrong" } as const;
    const outcome = await runMail({ port: server.port, credential, overrides: { ca: tls.cert } });
    await server.close();
    expect(outcome).toMatchObject({ kind: "failed", code: "login_refused" });
    expect(openMailStore(directory).list()).toEqual([]);
  });
});

describe("the demo's echo service", () => {
  test("answers with method, path, headers and body", async () => {
    const echo = await runEcho();
    const response = await fetch(`${echo.origin}/echo?x=1`, { method: "PUT", body: "hello", headers: { "x-a": "b" } });
    const answer = await response.json();
    await echo.close();
    expect(answer).toMatchObject({ method: "PUT", path: "/echo?x=1", body: "hello", headers: { "x-a": "b" } });
  });
});
