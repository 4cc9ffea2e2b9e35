import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { statusOf } from "./approval-page";
import { askForMail } from "./asks";
import { axeFindings, browserOf, hydrated, sideways, type Who } from "./people";

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

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;

async function slackPage(who: Who, options = {}) {
  const { context, complaints } = await browserOf(browser, app, who, options);
  const page = await context.newPage();
  await page.goto(`${app.url}/slack`);
  await hydrated(page);
  return { page, complaints, close: () => context.close() };
}

/** The demo's Slack asks who somebody is, and they say yes. */
async function agree(page: Page, userId: string): Promise<void> {
  await page.waitForURL((url) => url.pathname.endsWith("/authorize"));
  await page.selectOption("select", userId);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${app.url}/slack?**`);
  await hydrated(page);
}

describe("a person", () => {
  it.each([
    ["a desk in the dark", { colorScheme: "dark" as const }],
    ["a phone", PHONE],
  ])("links themselves at %s with their password and Slack's sign-in, and unlinks", async (_where, options) => {
    const { page, complaints, close } = await slackPage("agentOwner", options);
    await page.getByText("You are not linked.").waitFor();
    await page.getByRole("button", { name: "Link with Slack" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill("not the password 1");
    await page.keyboard.press("Enter");
    await dialog.getByText("is not right").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel("Your password").fill(app.demo.agentOwner.password);
    await page.keyboard.press("Enter");
    await agree(page, "U_STRANGER");
    await page.getByText("Linked. You can decide in Slack").waitFor();
    await page.getByText("U_STRANGER").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await page.getByRole("button", { name: /^Unlink/ }).click();
    await page.getByText("You are not linked.").waitFor();
    // The browser logs the refusal of the wrong password.
    expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
    await close();
  });

  it("sees nothing of workspaces and other people without the right to manage", async () => {
    const { page, close } = await slackPage("approver");
    await page.getByText("U_APPROVER").waitFor();
    expect(await page.getByRole("heading", { name: "Workspaces" }).count()).toBe(0);
    expect(await page.getByText("U_OWNER").count()).toBe(0);
    await close();
  });
});

describe("an admin", () => {
  it("connects a workspace through Slack and comes back to it, connected", async () => {
    const { page, complaints, close } = await slackPage("admin");
    await page.getByRole("button", { name: "Connect a workspace" }).click();
    await agree(page, "U_ADMIN");
    await page.getByText("Connected. If no channel is chosen yet").waitFor();
    await page.getByRole("list", { name: "Workspaces" }).getByText("connected", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("checks the set-up by keyboard and reads what there is to do", async () => {
    const { page, complaints, close } = await slackPage("owner");
    const check = page.getByRole("button", { name: "Check the set-up" });
    await check.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Check now" }).focus();
    await page.keyboard.press("Enter");
    const found = dialog.getByRole("list", { name: "What was checked" });
    await found.waitFor();
    expect(await found.getByText("token: good.").count()).toBe(1);
    expect(await found.getByText("channel: good.").count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await close();
  });

  it("who comes back from a round trip that is not theirs is told that nothing was done", async () => {
    const { page, close } = await slackPage("owner");
    await page.goto(`${app.url}/api/slack/oauth/callback?code=x&state=install.${"a".repeat(43)}`);
    await page.getByText("Nothing was done: this did not begin in this browser").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await close();
  });
});

describe("the demo's channel", () => {
  it.each([
    ["a desk in the dark", { colorScheme: "dark" as const }],
    ["a phone", PHONE],
  ])("shows the card as a person would see it at %s, and presses as the person chosen", async (where, options) => {
    const first = await askForMail(app, { subject: `First at ${where}`, text: "<b>not bold</b> <!channel>" });
    const second = await askForMail(app, { subject: `Second at ${where}` });
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${app.demo.slackEmulatorUrl}/`);
    await page.getByRole("combobox", { name: "You are" }).selectOption("U_STRANGER");
    const cards = page.getByRole("region", { name: "# approvals" });
    const cardOf = (which: string) =>
      cards
        .getByRole("listitem")
        .filter({ hasText: `${which} at ${where}` })
        .first();
    await cardOf("First").getByText("<b>not bold</b> <!channel>").waitFor();
    await cardOf("Second").waitFor();
    expect(await cards.locator("b").count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await cardOf("First").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Only you can see this.").first().waitFor();
    expect(await statusOf(app, first.id)).toBe("pending");
    await page.getByRole("combobox", { name: "You are" }).selectOption("U_APPROVER");
    await cardOf("First").getByRole("button", { name: "Approve" }).click();
    await expect.poll(() => statusOf(app, first.id)).toBe("scheduled");
    await cardOf("Second").getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Not this one.");
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await expect.poll(() => statusOf(app, second.id)).toBe("rejected");
    await cardOf("Second").getByRole("list", { name: "Thread" }).getByText("Not this one.").waitFor();
    await context.close();
  });
});
