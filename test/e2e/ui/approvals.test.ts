import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { approve, bar, decided, openAt, pressUntil, readyToDecide, rows, statusOf } from "./approval-page";
import { askForMail, decideElsewhere, HOSTILE } from "./asks";
import type { Who } from "./people";

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

const openAs = (who: Who, path: string) => openAt(browser, app, who, path);

describe("an approver with a keyboard", () => {
  it("sees a request arrive without loading again, approves it, and takes it back in its undo window", async () => {
    const { page, complaints, close } = await openAs("approver", "/approvals");
    const { id, approval } = await askForMail(app);
    await rows(page).first().waitFor({ timeout: 30_000 });
    await pressUntil(page, "j", () => page.waitForURL(`**/approvals/${approval}`, { timeout: 2_000 }));
    await approve(page).waitFor();
    await pressUntil(page, "a", () => decided(page, "Approved").waitFor({ timeout: 1_200 }));
    expect(await statusOf(app, id)).toBe("scheduled");
    await page.keyboard.press("u");
    await expect.poll(() => statusOf(app, id), { timeout: 30_000 }).toBe("cancelled");
    expect(complaints).toEqual([]);
    await close();
  });

  it("rejects with a reason, which the agent gets", async () => {
    const { id, approval } = await askForMail(app);
    const { page, close } = await openAs("approver", `/approvals/${approval}`);
    await pressUntil(page, "r", () => page.getByRole("alertdialog").waitFor({ timeout: 1_000 }));
    await page.keyboard.type("The customer asked for a call instead.");
    await page.getByRole("alertdialog").getByRole("button", { name: "Reject e-mail" }).click();
    await decided(page, "Rejected").waitFor();
    const headers = { authorization: `Bearer ${app.demo.agent.key}` };
    const answer = await (await fetch(`${app.url}/api/v1/tool-requests/${id}`, { headers })).json();
    expect(answer).toMatchObject({ status: "rejected", reason: "The customer asked for a call instead." });
    await close();
  });

  it("works through a queue of twenty without a mouse", { timeout: 180_000 }, async () => {
    const asked = [];
    for (let index = 0; index < 20; index += 1) asked.push(await askForMail(app, { subject: `Number ${index}` }));
    const { page, complaints, close } = await openAs("approver", "/approvals");
    await pressUntil(page, "j", () => page.waitForURL("**/approvals/apr_*", { timeout: 2_000 }));
    for (let index = 0; index < 20; index += 1) {
      if (index > 0) await page.keyboard.press("j");
      await approve(page).waitFor();
      await pressUntil(page, "a", () => decided(page, "Approved").waitFor({ timeout: 1_200 }));
    }
    const statuses = await Promise.all(asked.map(({ id }) => statusOf(app, id)));
    expect(statuses.every((status) => ["scheduled", "executing", "succeeded"].includes(status))).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  it("cannot approve by a key held down, nor with a modifier", async () => {
    const { id, approval } = await askForMail(app);
    const { page, close } = await openAs("approver", `/approvals/${approval}`);
    await readyToDecide(page);
    await page.evaluate(() => {
      for (let index = 0; index < 50; index += 1)
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true, repeat: true }));
    });
    await page.keyboard.press("Control+a");
    expect(await statusOf(app, id)).toBe("pending");
    await close();
  });
});

describe("what was not on screen cannot be approved", () => {
  it("the button leads through every part, folded ones included, before it approves", async () => {
    const { id, approval } = await askForMail(app, HOSTILE);
    const { page, complaints, close } = await openAs("approver", `/approvals/${approval}`);
    const next = bar(page).getByRole("button").nth(1);
    await expect.poll(() => next.textContent()).toMatch(/^Read \d+ more part/);
    await page.keyboard.press("v");
    await page.getByRole("button", { name: /^Show all 1 line, / }).scrollIntoViewIfNeeded();
    expect(await next.textContent()).toMatch(/^Read \d+ more part/);
    await page.keyboard.press("v");
    const fold = page.getByRole("button", { name: /^Show all \d+ lines/ });
    await expect
      .poll(
        async () => {
          await next.click();
          if ((await fold.count()) > 0 && (await fold.evaluate((node) => node === document.activeElement)))
            await fold.click();
          return next.textContent();
        },
        { timeout: 20_000, interval: 200 },
      )
      .toMatch(/^Approve/);
    expect(await statusOf(app, id)).toBe("pending");
    expect(complaints).toEqual([]);
    await close();
  });

  it("hidden characters are named, nothing of it runs, loads or can be followed", async () => {
    const { approval } = await askForMail(app, HOSTILE);
    const { page, close } = await openAs("approver", `/approvals/${approval}`);
    const call = page.locator("article");
    for (const name of [
      "right-to-left override, U+202E",
      "zero-width space, U+200B",
      "6 invisible tag characters",
      "41 line breaks in a row",
    ]) {
      await call
        .getByRole("img", { name: `hidden: ${name}` })
        .first()
        .waitFor();
    }
    await call.getByText("reads “Ignore”").first().waitFor();
    await call.getByText("Latin and Cyrillic letters in one word").first().waitFor({ state: "attached" });
    await call.getByText("It displays as").waitFor();
    expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined();
    expect(await call.locator("img, a[href*=evil], script, iframe").count()).toBe(0);
    await close();
  });
});

describe("two people at once", () => {
  it("what is decided elsewhere says so in place of the buttons, and the page stays where it is", async () => {
    const { approval } = await askForMail(app);
    const { page, close } = await openAs("approver", `/approvals/${approval}`);
    await approve(page).waitFor();
    const before = await bar(page).boundingBox();
    await decideElsewhere(app, approval, "reject");
    await decided(page, "Rejected").waitFor({ timeout: 30_000 });
    expect(page.url()).toContain(approval);
    expect((await bar(page).boundingBox())?.height).toBe(before?.height);
    await close();
  });

  it("no row moves under a pointer: what is new waits behind a button", async () => {
    await askForMail(app, { subject: "First" });
    const { page, close } = await openAs("approver", "/approvals");
    await rows(page).first().waitFor();
    await rows(page).first().hover();
    const before = await rows(page).first().boundingBox();
    const count = await rows(page).count();
    await askForMail(app, { subject: "Second" });
    const button = page.getByRole("button", { name: "Show 1 new" });
    await button.waitFor({ timeout: 30_000 });
    expect(await rows(page).first().boundingBox()).toEqual(before);
    expect(await rows(page).count()).toBe(count);
    await button.click();
    await expect.poll(() => rows(page).count()).toBe(count + 1);
    await close();
  });
});
