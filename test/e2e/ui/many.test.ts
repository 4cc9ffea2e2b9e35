import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { openAt, pressUntil, rows, statusOf } from "./approval-page";
import { askForMail, clearQueue, decideElsewhere } from "./asks";
import { axeFindings, browserOf, hydrated, sideways, type Who } from "./people";

let app: App;
let browser: Browser;
beforeAll(async () => {
  app = await startApp({ env: { MAX_PENDING_PER_AGENT: "200" } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const owner = () => ({ authorization: `Bearer ${app.demo.owner.token}`, "content-type": "application/json" });
const boxes = (page: Page) => page.getByRole("list", { name: "Approvals" }).getByRole("checkbox");
const selected = (page: Page) => page.getByRole("region", { name: "Selected" });
const dialog = (page: Page) => page.getByRole("alertdialog");

async function onPhone(who: Who, path: string) {
  const { context, complaints } = await browserOf(browser, app, who, PHONE);
  const page = await context.newPage();
  await page.goto(app.url + path);
  await hydrated(page);
  return { page, complaints, close: () => context.close() };
}

describe("many approvals at once", () => {
  it("are rejected with one reason, row by row: what was decided elsewhere meanwhile is told alone", async () => {
    await clearQueue(app);
    const asked: { id: string; approval: string }[] = [];
    for (let at = 0; at < 3; at += 1) asked.push(await askForMail(app, { subject: `Many ${at}` }));
    const { page, complaints, close } = await openAt(browser, app, "approver", "/approvals");
    await expect.poll(() => boxes(page).count()).toBe(3);
    await boxes(page).first().click();
    await boxes(page)
      .nth(2)
      .click({ modifiers: ["Shift"] });
    await selected(page).getByText("3 selected").waitFor();
    await selected(page).getByRole("button", { name: "Reject" }).click();
    await dialog(page).getByRole("listitem").nth(2).waitFor();
    await page.keyboard.type("The campaign is over.");
    await decideElsewhere(app, asked[1]?.approval ?? "", "approve");
    await dialog(page)
      .getByRole("button", { name: /^Reject \d/ })
      .click();
    const results = page.getByRole("status", { name: "What was decided" });
    await results.getByText(/of [23] decided/).waitFor();
    await expect.poll(() => statusOf(app, asked[0]?.id ?? "")).toBe("rejected");
    await expect.poll(() => statusOf(app, asked[2]?.id ?? "")).toBe("rejected");
    expect(await statusOf(app, asked[1]?.id ?? "")).toBe("scheduled");
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("are selected and approved without a mouse", async () => {
    const { id, approval } = await askForMail(app, { subject: "By key" });
    const { page, close } = await openAt(browser, app, "approver", `/approvals/${approval}`);
    await rows(page).first().waitFor();
    await pressUntil(page, "x", () => selected(page).getByText("1 selected").waitFor({ timeout: 2_000 }));
    await page.keyboard.press("Escape");
    await selected(page).waitFor({ state: "detached" });
    await page.keyboard.press("x");
    await selected(page).getByText("1 selected").waitFor();
    await page.keyboard.press("Shift+A");
    await dialog(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => statusOf(app, id)).toBe("scheduled");
    await close();
  });

  it("fit a phone, with the bar in reach", async () => {
    const { approval } = await askForMail(app, { subject: "On a phone" });
    const { page, complaints, close } = await onPhone("approver", "/approvals");
    await boxes(page).first().tap();
    await selected(page).getByRole("button", { name: "Approve" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    expect(complaints).toEqual([]);
    await close();
    await decideElsewhere(app, approval, "reject");
  });
});

describe("a draft of a rule", () => {
  it.each(["a desk", "a phone"])("is tried on past requests before it is saved, at %s", async (where) => {
    const open = where === "a desk" ? openAt(browser, app, "owner", "/rules") : onPhone("owner", "/rules");
    const { page, complaints, close } = await open;
    await page.getByRole("button", { name: "Create rule" }).click();
    const condition = page.getByLabel("When");
    await condition.fill("amuont > 1.0");
    await page.getByRole("button", { name: /^Try on the last 7 days/ }).click();
    const result = page.getByRole("region", { name: "What it would have done" });
    await result.getByText("Line 1, column 1").waitFor();
    await condition.fill('action == "email.send"');
    await page.getByLabel("What it does").selectOption("deny");
    await page.getByRole("button", { name: /^Try on the last 7 days/ }).click();
    await result.getByText(/would change/).waitFor();
    await result
      .getByRole("link", { name: /^Mail to ada@customer.example: / })
      .first()
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    // The fault in the condition was answered 422, and Chromium logs that.
    expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
    const rules = (await (await fetch(`${app.url}/api/v1/rules`, { headers: owner() })).json()) as { items: unknown[] };
    expect(rules.items).toEqual([]);
    await close();
  });
});

describe("a proposal", () => {
  it("is in a list of its own, and is taken up by a person whom somebody else has to follow", async () => {
    const agent = `${app.url}/api/v1/agents/${app.demo.agent.id}`;
    const { version } = (await (await fetch(agent, { headers: owner() })).json()) as { version: number };
    const body = JSON.stringify({ version, autonomy: "suggest" });
    expect((await fetch(agent, { method: "PATCH", headers: owner(), body })).status).toBe(200);
    await expect(askForMail(app, { subject: "Proposed order" })).rejects.toThrow("403");
    const { page, complaints, close } = await onPhone("approver", "/proposals");
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await page.getByRole("link", { name: /^Mail to ada@customer.example: Proposed/ }).click();
    await page.getByRole("button", { name: "Take up" }).waitFor();
    await hydrated(page);
    const proposal = page.url();
    await pressUntil(page, "t", () => dialog(page).waitFor({ timeout: 2_000 }));
    await dialog(page).getByRole("button", { name: "Take up" }).click();
    await page.waitForURL((url) => url.href !== proposal && url.pathname.startsWith("/requests/"));
    await page.getByText("waits for a person").first().waitFor();
    await page.getByRole("link", { name: "Open the approval" }).click();
    await page.getByText("You took this up, so you count as having asked.").waitFor();
    await page.goto(`${app.url}/proposals`);
    await page.getByText("No proposal waits to be taken up.").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
