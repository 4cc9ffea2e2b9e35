import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { App } from "@/test/support/app";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export type Who = "owner" | "admin" | "approver" | "agentOwner" | "member" | "auditor";

/** What a browser complained of: blocked by the policy, logged as an error, thrown. */
export type Complaints = string[];

/** A browser of somebody who is signed in, and what it complains of from then on. */
export async function browserOf(browser: Browser, app: App, who: Who | null, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const complaints: Complaints = [];
  context.on("page", (page) => listen(page, complaints));
  if (who !== null) await signIn(context, app, who);
  return { context, complaints };
}

function listen(page: Page, complaints: Complaints): void {
  page.on("pageerror", (error) => complaints.push(`threw ${error.message} at ${new URL(page.url()).pathname}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      complaints.push(`${message.text()} ${message.location().url}`);
    }
  });
}

async function signIn(context: BrowserContext, app: App, who: Who): Promise<void> {
  const { email, password } = app.demo[who];
  const page = await context.newPage();
  await page.goto(`${app.url}/sign-in`);
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.click("button[type=submit]");
  await page.waitForURL((url) => url.pathname !== "/sign-in", { timeout: 20_000 });
  await page.close();
}

/** Waits until the page listens to its reader. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main *")].some((node) => Object.keys(node).some((key) => key.startsWith("__react"))),
  );
}

/** What axe finds on the page, one line a rule. While Next streams a page anew its title is gone for a moment. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.title !== "");
  // Evaluated by the debugger, so the page's own policy does not stand in the way.
  return page.evaluate(`(async () => {
    { const module = undefined, exports = undefined, define = undefined; ${AXE} }
    const { violations } = await window.axe.run(document, { runOnly: ${JSON.stringify(RULES)} });
    return violations.map((one) => one.id + ": " + one.nodes.map((node) => node.target.join(" ")).join(" | "));
  })()`);
}

/** Pixels that can be scrolled sideways. The window's own width will not do: a phone zooms out to what is too wide. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A desk in the dark and a phone in the light. */
export const SIZES: readonly (readonly [string, BrowserContextOptions])[] = [
  ["at a desk", { colorScheme: "dark" }],
  ["at a phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
];
