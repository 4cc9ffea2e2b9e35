import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { askForMail } from "./asks";
import { browserOf, hydrated, type Who } from "./people";

let app: App;
let browser: Browser;
beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const bar = (page: Page) => page.getByRole("region", { name: "Decision", exact: true });

async function openAs(who: Who, path: string) {
  const { context } = await browserOf(browser, app, who);
  const page = await context.newPage();
  await page.goto(app.url + path);
  await hydrated(page);
  return { page, close: () => context.close() };
}

describe("who sees what", () => {
  it("the agent's owner is told why not, and has no buttons", async () => {
    const { approval } = await askForMail(app);
    const { page, close } = await openAs("agentOwner", `/approvals/${approval}`);
    await bar(page).getByText("you count as having asked").waitFor();
    expect(await bar(page).getByRole("button").count()).toBe(0);
    await close();
  });

  it("an auditor sees that there was a call, and none of its content", async () => {
    const { id, approval } = await askForMail(app, { subject: "Quarterly numbers" }, "Please hurry");
    const { page, close } = await openAs("auditor", `/approvals/${approval}`);
    for (const path of [`/approvals/${approval}`, `/requests/${id}`, "/approvals"]) {
      await page.goto(app.url + path);
      const html = await page.content();
      expect(html).not.toContain("Quarterly numbers");
      expect(html).not.toContain("Please hurry");
      expect(html).not.toContain("ada@customer.example");
    }
    await close();
  });

  it("a member finds nothing at an approval's address, as at one that does not exist", async () => {
    const { approval } = await askForMail(app);
    const { page, close } = await openAs("member", "/agents");
    const textAt = async (path: string) => {
      await page.goto(app.url + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      return (await page.locator("main").textContent()) ?? "";
    };
    const forbidden = await textAt(`/approvals/${approval}`);
    expect(forbidden).toContain("Nothing here that you may see");
    expect(await textAt("/approvals/apr_01J00000000000000000000000")).toBe(forbidden);
    await close();
  });

  it("another organization's owner sees nothing of ours", async () => {
    const { approval } = await askForMail(app);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${app.url}/approvals/${approval}`);
    await page.waitForURL("**/sign-in?to=**");
    await hydrated(page);
    await page.fill("input[name=email]", app.demo.other.owner.email);
    await page.fill("input[name=password]", app.demo.other.owner.password);
    await page.click("button[type=submit]");
    await page.getByText("Nothing here that you may see").waitFor();
    await context.close();
  });

  it("a wrong password says so and nothing more; signing out ends the sign-in", async () => {
    const { page, close } = await openAs("approver", "/settings");
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.waitForURL("**/sign-in");
    await page.goto(`${app.url}/settings`);
    await page.waitForURL("**/sign-in?to=**");
    await hydrated(page);
    await page.fill("input[name=email]", "nobody@acme.example");
    await page.fill("input[name=password]", "not the password");
    await page.click("button[type=submit]");
    await page.getByText("No account has this e-mail address and password.").waitFor();
    await close();
  });
});
