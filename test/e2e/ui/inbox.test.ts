import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { openAt, pressUntil, rows } from "./approval-page";
import { askForMail, clearQueue, decideElsewhere } from "./asks";
import { axeFindings } from "./people";

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

it("the inbox is filtered by words from the keyboard, in the address, and keeps a row however it ended", async () => {
  await clearQueue(app);
  const alpha = await askForMail(app, { subject: "Alpha" });
  const beta = await askForMail(app, { subject: "Beta" });
  const { page, complaints, close } = await openAt(browser, app, "approver", "/approvals");
  await expect.poll(() => rows(page).count()).toBe(2);
  await pressUntil(page, "/", async () => {
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "search", undefined, {
      timeout: 2_000,
    });
  });
  await page.keyboard.type("ALPHA medium");
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(new URL(page.url()).searchParams.get("q")).toBe("ALPHA medium");
  await page.keyboard.press("Escape");
  await pressUntil(page, "j", () =>
    page.waitForURL((url) => url.pathname.endsWith(alpha.approval), { timeout: 3_000 }),
  );
  expect(await rows(page).count()).toBe(1);
  await page.getByRole("searchbox", { name: "Filter approvals" }).fill("nothing like it");
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  const headers = { authorization: `Bearer ${app.demo.agent.key}` };
  const withdrawn = await fetch(`${app.url}/api/v1/tool-requests/${beta.id}/cancel`, { method: "POST", headers });
  expect(withdrawn.status).toBe(200);
  await rows(page).filter({ hasText: "withdrawn" }).waitFor();
  await decideElsewhere(app, alpha.approval, "reject");
  await rows(page).filter({ hasText: "rejected" }).waitFor();
  expect(await rows(page).count()).toBe(2);
  expect(complaints).toEqual([]);
  await close();
});
