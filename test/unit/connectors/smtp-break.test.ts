import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { closeMailServers, openedMail, runScriptedSmtp } from "@/test/support/smtp";
import { runMail } from "@/test/support/smtp-call";

afterEach(closeMailServers);

describe("a conversation that breaks off", () => {
  const REPLIES: readonly (readonly [RegExp, string])[] = [
    [/^EHLO/, "250-hi\r\n250 AUTH PLAIN"],
    [/^AUTH/, "235 welcome"],
    [/^DATA$/, "354 go"],
    [/^(MAIL|RCPT|QUIT|\.$)/, "250 ok"],
  ];
  /** Answers well until a line matches `at`, and then does `then`. */
  const breaking = (at: RegExp, then: (socket: Socket) => void) =>
    runScriptedSmtp((line, socket) => {
      const reply = REPLIES.find(([pattern]) => pattern.test(line))?.[1];
      if (at.test(line)) then(socket);
      else if (reply) socket.write(`${reply}\r\n`);
    });
  const config = { tls: "none" };
  const overrides = { totalMs: 600 };

  test.each([
    ["EHLO", /^EHLO/],
    ["AUTH", /^AUTH/],
    ["MAIL FROM", /^MAIL/],
    ["RCPT TO", /^RCPT/],
    ["DATA", /^DATA/],
  ])("at %s, before the message, is a failure", async (_name, at) => {
    const cut = await openedMail(breaking(at, (socket) => socket.destroy()));
    expect(await runMail({ port: cut.port, config })).toMatchObject({ kind: "failed", code: "connection_lost" });
    const silent = await openedMail(breaking(at, () => undefined));
    expect(await runMail({ port: silent.port, config, overrides })).toMatchObject({ kind: "failed", code: "timeout" });
  });

  test("once the message has begun is not known", async () => {
    const cut = await openedMail(breaking(/^\.$/, (socket) => socket.destroy()));
    expect(await runMail({ port: cut.port, config })).toMatchObject({
      kind: "outcome_unknown",
      code: "connection_lost",
    });
    const silent = await openedMail(breaking(/^\.$/, () => undefined));
    expect(await runMail({ port: silent.port, config, overrides })).toMatchObject({
      kind: "outcome_unknown",
      code: "timeout",
    });
    const half = await openedMail(breaking(/^Subject/, (socket) => socket.destroy()));
    expect(await runMail({ port: half.port, config })).toMatchObject({
      kind: "outcome_unknown",
      code: "connection_lost",
    });
  });

  test("after the server took the message is a success all the same", async () => {
    const server = await openedMail(breaking(/^\.$/, (socket) => socket.end("250 queued\r\n")));
    expect(await runMail({ port: server.port, config })).toMatchObject({ kind: "succeeded" });
  });

  test("with a refusal in the server's own numbers is a failure", async () => {
    const server = await openedMail(breaking(/^\.$/, (socket) => socket.end("421 going down\r\n")));
    expect(await runMail({ port: server.port, config })).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("421"),
    });
  });

  test("since it was stopped, is said to be so", async () => {
    const server = await openedMail(breaking(/^\.$/, () => undefined));
    const stop = new AbortController();
    const running = runMail({ port: server.port, config, signal: stop.signal });
    setTimeout(() => stop.abort(), 200);
    expect(await running).toMatchObject({ kind: "outcome_unknown", code: "aborted" });
    expect(await runMail({ port: server.port, config, signal: AbortSignal.abort() })).toMatchObject({
      kind: "failed",
      code: "aborted",
    });
  });
});
