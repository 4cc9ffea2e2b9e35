import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, newDataDir, startApp } from "@/test/support/app";

const dataDir = newDataDir();
let app: App;

const isUp = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );

async function untilDown(urls: readonly string[]): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (const url of urls) {
    while (await isUp(url)) {
      if (Date.now() > deadline) throw new Error(`${url} still answers.`);
      await sleep(100);
    }
  }
}

const places = ({ url, demo }: App) => [`${url}/healthz`, demo.echoUrl, demo.mailboxUrl];

beforeAll(async () => {
  app = await startApp({ dataDir });
});

afterAll(async () => {
  await app.stop();
  rmSync(dirname(dataDir), { recursive: true, force: true });
});

describe("npm start without any configuration", () => {
  it("leaves a demo.json that only its user can read", () => {
    for (const name of ["demo.json", "secrets.json"]) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    }
    expect(app.demo.url).toBe(app.url);
  });

  it("says how to sign in and prints a curl line that works when pasted", async () => {
    const output = app.output();
    expect(output).toContain(app.demo.approver.email);
    const line = output.split("\n").find((text) => text.trim().startsWith("curl ")) ?? "";
    const { execFileSync } = await import("node:child_process");
    const answer = JSON.parse(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }));
    expect(answer.status).toBe("pending");
    expect(answer.approval.id).toMatch(/^apr_/);
  });

  it("runs an echo service and an empty mailbox that need no credential", async () => {
    const echo = await (await fetch(`${app.demo.echoUrl}?a=1`, { headers: { "x-probe": "yes" } })).json();
    expect(echo).toMatchObject({ method: "GET", headers: { "x-probe": "yes" } });
    expect(await (await fetch(app.demo.mailboxUrl)).json()).toEqual({ items: [] });
  });

  it("gives its serving processes no owner's connection", () => {
    const text = readFileSync(join(dataDir, "secrets.json"), "utf8");
    const { ownerPassword } = JSON.parse(text) as { ownerPassword: string };
    expect(app.output()).not.toContain(ownerPassword);
  });
});

describe("a second start", () => {
  it("goes on with the same data after Ctrl-C, which stops everything and answers 0", async () => {
    const { demo, port } = app;
    const urls = places(app);
    expect(await app.stop()).toBe(0);
    await untilDown(urls);
    app = await startApp({ dataDir, port });
    expect(app.demo).toEqual(demo);
    const headers = { authorization: `Bearer ${demo.agent.key}` };
    expect((await fetch(`${app.url}/api/v1/tools`, { headers })).status).toBe(200);
  });

  it("goes on with the same data after kill -9 of what was started, which takes the rest along", async () => {
    const { demo, port } = app;
    const urls = places(app);
    await app.kill();
    await untilDown(urls);
    app = await startApp({ dataDir, port });
    expect(app.demo).toEqual(demo);
  });

  it("is refused while the first one runs", async () => {
    await expect(startApp({ dataDir })).rejects.toThrow(/already runs on/);
  });
});
