import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { approve, bar, decided, readyToDecide } from "./approval-page";
import { askForMail } from "./asks";
import { axeFindings, browserOf, hydrated, SIZES, sideways } from "./people";

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

const dialog = (page: Page) => page.getByRole("dialog", { name: "Edit and approve" });

/** On a small screen parts of the call are below the edge: the button leads through them. */
async function readThrough(page: Page): Promise<void> {
  const more = bar(page).getByRole("button", { name: /^Read \d/ });
  await more.waitFor();
  await expect
    .poll(async () => {
      if ((await more.count()) > 0) await more.click({ timeout: 1_000 }).catch(() => undefined);
      return approve(page).count();
    })
    .toBe(1);
}

async function answerOf(id: string) {
  const headers = { authorization: `Bearer ${app.demo.agent.key}` };
  const response = await fetch(`${app.url}/api/v1/tool-requests/${id}`, { headers });
  return (await response.json()) as { status: string; edits?: { by: string; changes: { field: string }[] }[] };
}

describe("an approver", () => {
  it.each(SIZES)("drops a recipient, writes the text anew and approves what was shown, %s", async (_name, options) => {
    const { id, approval } = await askForMail(app, { to: ["ada@customer.example", "eve@customer.example"] });
    const { context, complaints } = await browserOf(browser, app, "approver", options);
    const page = await context.newPage();
    await page.goto(`${app.url}/approvals/${approval}`);
    await hydrated(page);
    if (options.isMobile) await readThrough(page);
    await readyToDecide(page);
    await page.getByRole("button", { name: "Edit and approve" }).click();
    await dialog(page).getByRole("button", { name: "Show what changes" }).click();
    await dialog(page).getByText("Nothing is changed yet.").waitFor();
    await dialog(page).getByRole("checkbox", { name: "eve@customer.example" }).uncheck();
    await dialog(page).getByLabel("Text").fill("It leaves our warehouse tomorrow.");
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    await dialog(page).getByRole("button", { name: "Show what changes" }).click();
    await dialog(page).locator("del", { hasText: "eve@customer.example" }).waitFor();
    await dialog(page).locator("ins", { hasText: "tomorrow" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect((await answerOf(id)).status).toBe("pending");
    await dialog(page).getByRole("button", { name: "Approve as edited" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(approval));
    await decided(page, "Approved").waitFor();
    const edits = page.getByRole("region", { name: "Changed before approving" });
    await edits.locator("del", { hasText: "eve@customer.example" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    expect(await answerOf(id)).toMatchObject({
      status: "scheduled",
      edits: [{ changes: [{ field: "text" }, { field: "to" }] }],
    });
    await page.goto(`${app.url}/approvals/${approval}`);
    await page.getByText("eve@customer.example").first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("starts with a key and is told of an edit that the server refuses, which changes nothing", async () => {
    const { id, approval } = await askForMail(app);
    const { context } = await browserOf(browser, app, "approver");
    const page = await context.newPage();
    await page.goto(`${app.url}/approvals/${approval}`);
    await hydrated(page);
    await readyToDecide(page);
    await page.keyboard.press("e");
    await dialog(page).getByRole("checkbox", { name: "ada@customer.example" }).uncheck();
    await dialog(page).getByRole("button", { name: "Show what changes" }).click();
    await dialog(page).getByRole("button", { name: "Approve as edited" }).click();
    await dialog(page)
      .getByRole("alert")
      .getByText(/^arguments\.to: /)
      .waitFor();
    expect(await answerOf(id)).toMatchObject({ status: "pending" });
    await dialog(page).getByRole("button", { name: "Back" }).click();
    await dialog(page).getByRole("checkbox", { name: "ada@customer.example" }).check();
    await context.close();
  });
});
