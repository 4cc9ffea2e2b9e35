import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentedVariables, parseEnv, parseLauncherEnv } from "@/server/env";
import { TEST_ENV } from "@/test/support/env";

const complaint = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return String((error as Error).message);
  }
  return "";
};

describe("the environment", () => {
  it("names a missing variable, what it is for and an example", () => {
    const { SESSION_SECRET: _, ...rest } = TEST_ENV;
    const message = complaint(() => parseEnv(rest));
    expect(message).toMatch(/^SESSION_SECRET is missing\. It is for: signs sign-in cookies\. Example: SESSION_SECRET=/);
  });

  it.each([
    ["PORT", "70000"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "proxy"],
    ["APPROVAL_TIMEOUT", "soon"],
    ["APPROVAL_TIMEOUT", "31d"],
    ["APPROVAL_ACTIONS", "email"],
    ["CONNECTIONS_KEK", "c2hvcnQ="],
    ["KILL_SWITCH", "off"],
    ["APP_DATABASE_URL", "mysql://h/d"],
    ["PUBLIC_URL", "javascript:alert(1)"],
    ["DEMO", "yes"],
    ["SLACK_APP_TOKEN", "xoxb-1234567890-abc"],
    ["NOTIFY_SMTP_URL", "https://mail.example"],
    ["NOTIFY_FROM", "Countersign <a@b.example>"],
    ["LOG_LEVEL", "loud"],
  ])("refuses %s=%s by its name, in one line, without repeating the value", (name, value) => {
    const message = complaint(() => parseEnv({ ...TEST_ENV, [name]: value }));
    expect(message).toMatch(new RegExp(`^${name} is malformed: .+ Example: ${name}=`));
    expect(message).not.toContain("\n");
    expect(message.split("Example:")[0]).not.toContain(`"${value}"`);
  });

  it("takes a mail server for notices only with the address that they come from", () => {
    const url = { NOTIFY_SMTP_URL: "smtp://u:p@mail.example:587" };
    expect(complaint(() => parseEnv({ ...TEST_ENV, ...url }))).toMatch(/^NOTIFY_FROM is missing\./);
    expect(parseEnv({ ...TEST_ENV, ...url, NOTIFY_FROM: "a@b.example" }).NOTIFY_FROM).toBe("a@b.example");
  });

  it("has a line for each of its variables in .env.example", () => {
    const text = readFileSync(".env.example", "utf8");
    const named = [...text.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, example]) => ({ name, example }));
    expect(named).toEqual(documentedVariables().map(({ name, example }) => ({ name, example })));
  });

  it("reads durations as seconds and lists as arrays", () => {
    const parsed = parseEnv({ ...TEST_ENV, APPROVAL_TIMEOUT: "30m", APPROVAL_ACTIONS: "email.send, http.request" });
    expect(parsed.APPROVAL_TIMEOUT).toBe(1_800);
    expect(parsed.APPROVAL_ACTIONS).toEqual(["email.send", "http.request"]);
  });
});

describe("the engine of durable work", () => {
  it("is this machine's unless Inngest's keys are set or it is chosen", () => {
    const engine = (source: Record<string, string>) => parseLauncherEnv(source).INNGEST_ENGINE;
    expect(engine({})).toBe("local");
    expect(engine({ INNGEST_SIGNING_KEY: "signkey-prod-0123456789abcdef" })).toBe("remote");
    expect(engine({ INNGEST_ENGINE: "remote" })).toBe("remote");
    const { INNGEST_ENGINE: _, ...rest } = TEST_ENV;
    expect(parseEnv(rest).INNGEST_ENGINE).toBe("remote");
  });
});

describe("demo mode", () => {
  const isDemo = (source: Record<string, string>) => parseLauncherEnv(source).DEMO;
  const url = "postgres://countersign_owner@db.example/countersign";

  it("is on with no configuration and listens on loopback", () => {
    expect(parseLauncherEnv({})).toMatchObject({ DEMO: true, HOST: "127.0.0.1", PUBLIC_URL: "http://localhost:3000" });
  });

  it("is off as soon as a database or an address is named, unless asked for", () => {
    expect(isDemo({ DATABASE_URL: url })).toBe(false);
    expect(isDemo({ HOST: "127.0.0.1" })).toBe(false);
    expect(isDemo({ DATABASE_URL: url, DEMO: "1" })).toBe(true);
    expect(isDemo({ DEMO: "0" })).toBe(false);
  });

  it("never listens beyond loopback", () => {
    for (const HOST of ["0.0.0.0", "::", "192.168.1.2", "127.example.com"]) {
      expect(complaint(() => parseLauncherEnv({ DEMO: "1", HOST }))).toMatch(/^HOST must be a loopback address/);
    }
  });
});
