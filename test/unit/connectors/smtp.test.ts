import { afterEach, describe, expect, test } from "vitest";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";
import { closeMailServers, openedMail, runScriptedSmtp, runSmtp, SMTP_PASSWORD } from "@/test/support/smtp";
import { runMail } from "@/test/support/smtp-call";

afterEach(closeMailServers);

describe("a mail", () => {
  test("is sent under encryption, with a Message-ID that comes from the request", async () => {
    const server = await openedMail(runSmtp());
    const args = { cc: ["bob@corp.example"], bcc: ["eve@corp.example"], html: "<p>Hello</p>" };
    const outcome = await runMail({ port: server.port, args, overrides: { ca: server.cert } });
    expect(outcome).toEqual({
      kind: "succeeded",
      result: {
        messageId: "<req_01TEST@corp.example>",
        accepted: ["ann@corp.example", "bob@corp.example", "eve@corp.example"],
        rejected: [],
      },
    });
    const [sent] = server.mails;
    expect(sent?.from).toBe("robot@corp.example");
    expect(sent?.to).toEqual(["ann@corp.example", "bob@corp.example", "eve@corp.example"]);
    expect(sent?.raw).toMatch(/^Message-ID: <req_01TEST@corp\.example>\r$/m);
    expect(sent?.raw).toMatch(/^Cc: bob@corp\.example\r$/m);
    expect(sent?.raw).not.toContain("eve@corp.example");
    expect(server.mails.length).toBe(1);
  });

  test("goes over implicit TLS where the connection says so", async () => {
    const server = await openedMail(runSmtp({ secure: true }));
    const outcome = await runMail({ port: server.port, config: { tls: "implicit" }, overrides: { ca: server.cert } });
    expect(outcome.kind).toBe("succeeded");
  });

  test("names those whom the server did not take", async () => {
    const server = await openedMail(
      runSmtp({
        onRcptTo: ({ address }, _session, callback) =>
          callback(address.startsWith("bob") ? Object.assign(new Error("no such user"), { responseCode: 550 }) : null),
      }),
    );
    const outcome = await runMail({
      port: server.port,
      args: { cc: ["bob@corp.example"] },
      overrides: { ca: server.cert },
    });
    expect(outcome).toMatchObject({
      kind: "succeeded",
      result: { accepted: ["ann@corp.example"], rejected: ["bob@corp.example"] },
    });
  });

  test("never reads a file or an address that its text names", async () => {
    const server = await openedMail(runSmtp());
    const args = { text: "/etc/passwd", html: '<img src="file:///etc/passwd"><a href="http://127.0.0.1/">x</a>' };
    expect((await runMail({ port: server.port, args, overrides: { ca: server.cert } })).kind).toBe("succeeded");
    expect(server.mails[0]?.raw).not.toContain("root:");
    expect(server.mails[0]?.raw).not.toContain("attachment");
  });
});

describe("encryption", () => {
  test("is not done without: a server that offers none gets neither password nor mail", async () => {
    const lines: string[] = [];
    const server = await openedMail(
      runScriptedSmtp((line, socket) => {
        lines.push(line);
        socket.write(line.startsWith("EHLO") ? "250-hi\r\n250 AUTH PLAIN LOGIN\r\n" : "500 what\r\n");
      }),
    );
    expect(await runMail({ port: server.port })).toMatchObject({ kind: "failed", code: "tls_missing" });
    expect(lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });

  test("needs a certificate that is trusted", async () => {
    const server = await openedMail(runSmtp());
    for (const overrides of [{}, { ca: makeLocalCertificate().cert }]) {
      expect(await runMail({ port: server.port, overrides })).toMatchObject({ kind: "failed", code: "tls_failed" });
    }
    expect(server.mails).toEqual([]);
  });

  test("can be left out only with a host that the operator named", async () => {
    const server = await openedMail(runSmtp({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true }));
    const config = { tls: "none" };
    expect(await runMail({ port: server.port, config, privateHosts: [] })).toMatchObject({ code: "cleartext_refused" });
    expect(await runMail({ port: server.port, config, privateHosts: ["localhost:1"] })).toMatchObject({
      code: "cleartext_refused",
    });
    expect((await runMail({ port: server.port, config })).kind).toBe("succeeded");
  });
});

describe("the mail server", () => {
  test("is reached only at addresses that may be reached", async () => {
    const resolver = async () => [{ address: "10.0.0.1", family: 4 }];
    const outcome = await runMail({
      port: 25,
      config: { host: "mail.corp.example" },
      privateHosts: [],
      overrides: { resolver },
    });
    expect(outcome).toMatchObject({ kind: "failed", code: "address_refused" });
    expect(await runMail({ port: 25, privateHosts: [] })).toMatchObject({ kind: "failed", code: "address_refused" });
  });

  test("that does not answer is a failure", async () => {
    const server = await runSmtp();
    await server.close();
    expect(await runMail({ port: server.port })).toMatchObject({ kind: "failed", code: "connect_failed" });
  });

  test("that refuses the password, the sender, every recipient or the message is a failure, and nothing is sent", async () => {
    const refuse = (responseCode: number) => Object.assign(new Error(`no: ${SMTP_PASSWORD}`), { responseCode });
    const cases = [
      ["login_refused", { onAuth: (_auth, _session, callback) => callback(new Error("no")) }],
      ["sender_refused", { onMailFrom: (_address, _session, callback) => callback(refuse(553)) }],
      ["recipients_refused", { onRcptTo: (_address, _session, callback) => callback(refuse(550)) }],
      [
        "message_refused",
        {
          onData: (stream, _session, callback) => {
            stream.resume();
            stream.on("end", () => callback(refuse(554)));
          },
        },
      ],
      ["message_refused", { size: 100 }],
    ] as const satisfies [string, Parameters<typeof runSmtp>[0]][];
    for (const [code, options] of cases) {
      const server = await openedMail(runSmtp(options));
      const outcome = await runMail({ port: server.port, overrides: { ca: server.cert } });
      expect(outcome).toMatchObject({ kind: "failed", code });
      expect(JSON.stringify(outcome)).not.toContain("mail-p");
      expect(server.mails).toEqual([]);
    }
  });

  test("with settings or a credential that do not fit is not called", async () => {
    expect(await runMail({ port: 25, credential: null })).toMatchObject({ code: "credential_malformed" });
    const header = { kind: "header", name: "x-key", value: "12345678" } as const;
    expect(await runMail({ port: 25, credential: header })).toMatchObject({ code: "credential_malformed" });
    for (const config of [
      { from: "Robot <robot@corp.example>" },
      { host: "*.example" },
      { host: "a/b" },
      { port: 0 },
      { extra: 1 },
    ]) {
      expect(await runMail({ port: 25, config })).toMatchObject({ code: "connection_malformed" });
    }
    expect(await runMail({ port: 25, args: { subject: "a\r\nBcc: eve@evil.example" } })).toMatchObject({
      code: "arguments_invalid",
    });
  });
});
