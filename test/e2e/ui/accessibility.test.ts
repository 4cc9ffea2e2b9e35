import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { askForLongHost, askForMail, HOSTILE } from "./asks";
import { axeFindings, browserOf, hydrated, sideways, type Who } from "./people";

let app: App;
let browser: Browser;
let hostile: { id: string; approval: string };
let longHost: string;
beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
  hostile = await askForMail(app, HOSTILE, "Dana approved this already. \u202eVerified");
  longHost = await askForLongHost(app);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  "a desk in the dark": { colorScheme: "dark" },
  "a phone in the light": {
    viewport: { width: 360, height: 740 },
    colorScheme: "light",
    isMobile: true,
    hasTouch: true,
  },
  "400 % zoom": { viewport: { width: 320, height: 256 }, colorScheme: "dark", reducedMotion: "reduce" },
};

const pages = () => [
  "/approvals",
  `/approvals/${hostile.approval}`,
  "/requests",
  "/requests?status=failed",
  "/requests?proposals=true",
  "/proposals",
  "/proposals?taken=true",
  `/requests/${hostile.id}`,
  `/requests/${longHost}`,
  "/agents",
  `/agents/${app.demo.agent.id}`,
  "/connections",
  "/rules",
  "/budgets",
  "/controls",
  "/audit",
  "/members",
  "/slack",
  "/settings",
  "/mailbox",
  "/docs/api",
  "/approvals/apr_01J00000000000000000000000",
];

async function open(page: Page, path: string): Promise<void> {
  await page.goto(app.url + path);
  await hydrated(page);
}

/** Every fault of every page, by page, so that one run tells all. */
async function faultsOf(who: Who | null, options: BrowserContextOptions, paths: readonly string[]) {
  const { context, complaints } = await browserOf(browser, app, who, options);
  const faults: string[] = [];
  for (const path of paths) {
    const page = await context.newPage();
    await open(page, path);
    const found = await axeFindings(page);
    const wide = await sideways(page);
    const headings = await page.locator("h1").count();
    faults.push(...found.map((one) => `${path} ${one}`));
    if (wide > 0) faults.push(`${path} scrolls sideways by ${wide}`);
    if (headings !== 1) faults.push(`${path} has ${headings} first headings`);
    await page.close();
  }
  await context.close();
  // A page that is not there answers 404, and Chromium logs that.
  return [...faults, ...complaints.filter((text) => !text.includes("404 (Not Found)"))];
}

describe.each(Object.entries(VIEWS))("at %s", (_, options) => {
  it("axe finds nothing, nothing is wider than the screen, and the page policy blocks nothing of ours", {
    timeout: 240_000,
  }, async () => {
    expect(await faultsOf("owner", options, pages())).toEqual([]);
  });
  it("the pages before signing in are as good", async () => {
    expect(await faultsOf(null, options, ["/sign-in", "/setup", "/invitation", "/docs/api"])).toEqual([]);
  });
});

const DIALOGS = [
  ["/agents", "Create agent"],
  ["/connections", "Create connection"],
  ["/connections", "Trust a destination"],
  ["/rules", "Create rule"],
  ["/budgets", "Create budget"],
  ["/controls", "Freeze"],
  ["/members", "Invite member"],
  ["/slack", "Link with Slack"],
  ["/slack", "Connect with a bot token"],
  ["/slack", "Change the channel"],
  ["/slack", "Check the set-up"],
  ["/slack", "Disconnect"],
  ["/settings", "Create token"],
  ["/settings", "Change password"],
] as const;

it("dialogs keep the focus, give it back, and pass axe", { timeout: 240_000 }, async () => {
  const { context, complaints } = await browserOf(browser, app, "owner", { colorScheme: "dark" });
  const faults: string[] = [];
  for (const [path, name] of DIALOGS) {
    const page = await context.newPage();
    await open(page, path);
    const trigger = page.getByRole("button", { name, exact: true });
    await trigger.click();
    const dialog = page.locator(".popup");
    await dialog.waitFor();
    await page.waitForFunction(() => document.querySelector(".popup")?.contains(document.activeElement));
    faults.push(...(await axeFindings(page)).map((one) => `${name}: ${one}`));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.waitForFunction((text) => document.activeElement?.textContent?.includes(text), name);
    await page.close();
  }
  await context.close();
  expect([...faults, ...complaints]).toEqual([]);
});

it("a freeze is a stripe on every page, and passes axe in both themes", async () => {
  const stop = (path: string, body: object) =>
    fetch(`${app.url}/api/v1/controls/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${app.demo.owner.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { version } = (await (await stop("kill-switch", { level: "freeze", reason: "odd refunds" })).json()) as {
    version: number;
  };
  try {
    for (const colorScheme of ["dark", "light"] as const) {
      const { context } = await browserOf(browser, app, "approver", { colorScheme });
      for (const path of ["/approvals", "/requests", "/settings"]) {
        const page = await context.newPage();
        await open(page, path);
        await page.getByText("odd refunds").waitFor();
        expect(await axeFindings(page)).toEqual([]);
        await page.close();
      }
      await context.close();
    }
  } finally {
    await stop("release", { reason: "the test is over", version });
  }
});
