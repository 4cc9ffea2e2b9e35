import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { approve, decided, openAt, readyToDecide, statusOf } from "./approval-page";
import { askForMail, decideElsewhere } from "./asks";
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

it("an approval that nobody opened takes a second person, who is told why and has it noted that they opened it", async () => {
  const rules = await openAt(browser, app, "owner", "/rules");
  await rules.page.getByRole("button", { name: "Create rule" }).click();
  await rules.page.getByLabel("Name").fill("Mail is read first");
  await rules.page.getByLabel("When", { exact: true }).fill('action == "email.send"');
  await rules.page.getByLabel("If approved faster than it can be read").selectOption("second");
  await rules.page.getByLabel("Why, for the record").fill("Mails were approved unread.");
  expect(await axeFindings(rules.page)).toEqual([]);
  await rules.page.getByRole("dialog").getByRole("button", { name: "Create rule" }).click();
  await rules.page.getByText(/a second one if approved unread/).waitFor();
  await rules.close();
  const { id, approval } = await askForMail(app);
  await decideElsewhere(app, approval, "approve");
  expect(await statusOf(app, id)).toBe("pending");
  const { page, complaints, close } = await openAt(browser, app, "approver", `/approvals/${approval}`);
  await page.getByText(/approved faster than it can be read/).waitFor();
  await readyToDecide(page);
  await approve(page).click();
  await decided(page, "Approved").waitFor();
  await expect.poll(() => statusOf(app, id)).toBe("scheduled");
  expect(complaints).toEqual([]);
  await close();
});

it.each(SIZES)("owners see times, shares and quick approvals, %s", async (_name, options) => {
  const { context, complaints } = await browserOf(browser, app, "owner", options);
  const page = await context.newPage();
  await page.goto(`${app.url}/members`);
  await page.getByRole("link", { name: "How approvers decide" }).click();
  const people = page.getByRole("list", { name: "Approvers" }).getByRole("listitem");
  await people.filter({ hasText: "1 of 1 approved" }).filter({ hasText: "not opened" }).waitFor();
  await people.filter({ hasText: /median\s*\d+ s/ }).waitFor();
  await hydrated(page);
  expect(await axeFindings(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
  await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "7 days" }).click();
  await page.waitForURL((url) => url.searchParams.get("days") === "7");
  await people.first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
