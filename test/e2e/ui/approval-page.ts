import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { App } from "@/test/support/app";
import { browserOf, hydrated, type Who } from "./people";

export const bar = (page: Page) => page.getByRole("region", { name: "Decision", exact: true });
/** In place of the buttons: who decided, and when. */
export const decided = (page: Page, what: "Approved" | "Rejected") =>
  bar(page).getByText(new RegExp(`^${what} by .+, `));
export const approve = (page: Page) => bar(page).getByRole("button", { name: /^Approve/ });
export const rows = (page: Page) => page.getByRole("list", { name: "Approvals" }).getByRole("link");

/** A page of somebody who is signed in, once it listens, and what it complains of. */
export async function openAt(browser: Browser, app: App, who: Who, path: string) {
  const { context, complaints } = await browserOf(browser, app, who);
  const page = await context.newPage();
  await page.goto(app.url + path);
  await hydrated(page);
  return { page, complaints, close: () => context.close() };
}

export async function statusOf(app: App, id: string): Promise<string> {
  const headers = { authorization: `Bearer ${app.demo.agent.key}` };
  const response = await fetch(`${app.url}/api/v1/tool-requests/${id}`, { headers });
  return ((await response.json()) as { status: string }).status;
}

/** Presses until it counts: a decision is taken only 700 ms after what it is about has appeared. */
export async function pressUntil(page: Page, key: string, shown: () => Promise<void>): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.keyboard.press(key);
        return shown().then(
          () => true,
          () => false,
        );
      },
      { timeout: 45_000, interval: 300 },
    )
    .toBe(true);
}

/** Longer than the moment that something has to be on screen before it can be decided. */
export const MOMENT_MS = 1_000;

/** Waits until the page listens and the approval has been on screen, read, for a moment. */
export async function readyToDecide(page: Page): Promise<void> {
  await page.evaluate(() => delete (window as { readySince?: number }).readySince);
  await page.waitForFunction((momentMs) => {
    const [, button] = document.querySelectorAll("section[aria-label=Decision] button");
    const listens = button && Object.keys(button).some((key) => key.startsWith("__react"));
    const page = window as { readySince?: number | undefined };
    if (listens && button.textContent?.startsWith("Approve")) page.readySince ??= performance.now();
    else page.readySince = undefined;
    return performance.now() - (page.readySince ?? Number.POSITIVE_INFINITY) > momentMs;
  }, MOMENT_MS);
}
