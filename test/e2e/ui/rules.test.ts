import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { axeFindings, browserOf, hydrated, sideways } from "./people";

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

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const DESK = { viewport: { width: 1440, height: 900 }, colorScheme: "dark" as const };

async function open(path: string, options: typeof PHONE | typeof DESK) {
  const { context, complaints } = await browserOf(browser, app, "owner", options);
  const page = await context.newPage();
  await page.goto(app.url + path);
  await hydrated(page);
  return { page, complaints, close: () => context.close() };
}

const condition = (page: Page) => page.getByLabel("When", { exact: true });

describe("a rule made of questions", () => {
  it("is CEL that can be edited, is saved with a reason, and its versions can be compared and brought back", async () => {
    const { page, complaints, close } = await open("/rules", DESK);
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByLabel("Name").fill("Large amounts");
    await page.getByLabel("Start from").selectOption({ label: "Amount above a limit" });
    await page.getByLabel("Above", { exact: true }).fill("750");
    expect(await condition(page).inputValue()).toBe(
      'currency == "EUR" && amount > 750.0 || !(currency in ["", "EUR"])',
    );
    await condition(page).fill('currency == "EUR" && amount > 900.0');
    expect(await page.getByLabel("Above", { exact: true }).inputValue()).toBe("900");
    await condition(page).fill("amount > 900.0");
    await page.getByText("Written by hand").waitFor();
    await condition(page).fill('currency == "EUR" && amount > 900.0');
    await page.getByLabel("Why, for the record").fill("The auditors asked.");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Create rule" }).click();
    await page.getByText("When the amount is above 900 EUR.").waitFor();
    await page.getByRole("button", { name: "Switch off…" }).first().click();
    await page.getByLabel("Why, for the record").fill("It asked too much.");
    await page.getByRole("button", { name: "Switch off", exact: true }).click();
    await page.getByText("“It asked too much.”").waitFor();
    const versions = page.getByRole("region", { name: "Versions" }).getByRole("link");
    await versions.nth(1).click();
    await page.getByRole("heading", { level: 1, name: /^Rules, v/ }).waitFor();
    await page.getByText("Large amounts").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: /^Bring v\d+ back…$/ }).click();
    await page.getByLabel("Why, for the record").fill("It was right.");
    await page.getByRole("button", { name: /^Bring v\d+ back$/ }).click();
    await page.getByText("“It was right.”").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("fits a phone", async () => {
    const { page, complaints, close } = await open("/rules", PHONE);
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByLabel("Start from").selectOption({ label: "Outside working hours" });
    await page.getByLabel("Time zone").fill("Europe/Nowhere");
    await page.getByText("must be one such as Europe/Berlin").waitFor();
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    expect(await condition(page).inputValue()).toContain('weekdayIn(now, "Europe/Berlin")');
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe("a right to approve", () => {
  it("is given and withdrawn on the members page", async () => {
    const { page, complaints, close } = await open("/members", DESK);
    await page
      .getByRole("button", { name: /^Let approve…/ })
      .first()
      .click();
    await page.getByLabel("Risk").selectOption("medium");
    await page.getByLabel("email.send").check();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Give the right" }).click();
    const rights = page.getByRole("list", { name: "Rights to approve" });
    await rights.getByText("risk up to medium").waitFor();
    await rights.getByText(/actions email\.send/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await rights.getByRole("button", { name: /^Withdraw…/ }).click();
    await page.getByRole("button", { name: "Withdraw", exact: true }).click();
    await page.getByText("Nobody approves by a right of their own.").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
