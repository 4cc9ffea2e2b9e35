import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";
import { openBrowser } from "@/test/support/browser";
import { approve, bar, decided, MOMENT_MS, openAt, pressUntil, readyToDecide, statusOf } from "./approval-page";
import { askForMail, decideElsewhere } from "./asks";
import { hydrated } from "./people";

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

const openApproval = (id: string) => openAt(browser, app, "approver", `/approvals/${id}`);

/** The decisions that a page posts from now on. */
function decisionsOf(page: Page): string[] {
  const posted: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/api/trpc/approvals.decide")) return;
    posted.push((request.postDataJSON() as { id: string }).id);
  });
  return posted;
}

/** Every RSC answer of one address comes only when the returned function is called. */
async function holdPage(page: Page, id: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/approvals/${id}?_rsc=*`, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe("one press, one decision", () => {
  const ways: Record<string, (page: Page) => Promise<void>> = {
    "the key": async (page) => {
      for (let index = 0; index < 5; index += 1) await page.keyboard.press("a");
    },
    "a key held down": async (page) => {
      for (let index = 0; index < 30; index += 1) await page.keyboard.down("a");
      await page.keyboard.up("a");
    },
    "clicks on the button": (page) => approve(page).click({ clickCount: 5 }),
    "Enter held down on the button": async (page) => {
      await approve(page).focus();
      for (let index = 0; index < 30; index += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
    },
  };

  it.each(Object.entries(ways))("many presses by %s post one", async (_, press) => {
    const { approval } = await askForMail(app);
    const { page, complaints, close } = await openApproval(approval);
    const posted = decisionsOf(page);
    await readyToDecide(page);
    await press(page);
    await decided(page, "Approved").waitFor();
    await page.keyboard.press("a");
    expect(posted).toEqual([approval]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("presses between the answer and the page that shows it post nothing", async () => {
    const { approval } = await askForMail(app);
    const { page, complaints, close } = await openApproval(approval);
    const posted = decisionsOf(page);
    await readyToDecide(page);
    const release = await holdPage(page, approval);
    const answered = page.waitForResponse("**/api/trpc/approvals.decide");
    await page.keyboard.press("a");
    await answered;
    for (let index = 0; index < 5; index += 1) {
      await page.keyboard.press("a");
      await page.keyboard.press("r");
      await page.waitForTimeout(50);
    }
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    release();
    await decided(page, "Approved").waitFor();
    for (let index = 0; index < 5; index += 1) await page.keyboard.press("u");
    await bar(page).getByText("withdrawn").waitFor();
    expect(posted).toEqual([approval]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("a refused decision can be made again once the page was read again", async () => {
    const { id, approval } = await askForMail(app);
    const { page, close } = await openApproval(approval);
    const posted = decisionsOf(page);
    await readyToDecide(page);
    await page.route("**/api/trpc/approvals.decide", (route) => route.abort(), { times: 1 });
    const unanswered = bar(page).getByText("Not approved: The server did not answer.");
    await pressUntil(page, "a", () => unanswered.waitFor({ timeout: 5_000 }));
    await pressUntil(page, "a", () => decided(page, "Approved").waitFor({ timeout: 1_200 }));
    expect(posted).toEqual([approval, approval]);
    expect(await statusOf(app, id)).not.toBe("pending");
    await close();
  });
});

describe("a decision hits what the reader sees", () => {
  it("a key held down over the move to the next one does not approve that one", async () => {
    const [first, second] = [await askForMail(app), await askForMail(app)];
    const { page, close } = await openApproval(first.approval);
    const posted = decisionsOf(page);
    await readyToDecide(page);
    await page.keyboard.down("a");
    await decided(page, "Approved").waitFor();
    await page.goto(`${app.url}/approvals/${second.approval}`);
    await hydrated(page);
    await readyToDecide(page);
    for (let index = 0; index < 10; index += 1) await page.keyboard.down("a");
    await page.waitForTimeout(MOMENT_MS);
    expect(posted).toEqual([first.approval]);
    await page.keyboard.up("a");
    await page.keyboard.press("a");
    await decided(page, "Approved").waitFor();
    expect(posted).toEqual([first.approval, second.approval]);
    await close();
  });

  it("nothing is decided between asking for the next one and its being on screen for a moment", async () => {
    const asked = [await askForMail(app), await askForMail(app)];
    const [first, second] = asked.map(({ approval }) => approval) as [string, string];
    const { page, close } = await openApproval(first);
    const posted = decisionsOf(page);
    await readyToDecide(page);
    const release = await holdPage(page, second);
    await page.keyboard.press("j");
    for (let index = 0; index < 5; index += 1) await page.keyboard.press("a");
    expect(page.url()).toContain(first);
    release();
    await page.waitForURL(`**/approvals/${second}`);
    await page.keyboard.press("a");
    await page.waitForTimeout(MOMENT_MS);
    expect(posted).toEqual([]);
    await page.keyboard.press("a");
    await decided(page, "Approved").waitFor();
    expect(posted).toEqual([second]);
    await close();
  });

  it("what arrives and what goes elsewhere moves neither the selection nor the decision", async () => {
    const before = await askForMail(app, { subject: "Goes elsewhere" });
    const { approval } = await askForMail(app, { subject: "Selected" });
    const { page, close } = await openApproval(approval);
    const posted = decisionsOf(page);
    await readyToDecide(page);
    await decideElsewhere(app, before.approval, "reject");
    for (let index = 0; index < 6; index += 1) {
      const { approval: other } = await askForMail(app);
      await decideElsewhere(app, other, "reject");
    }
    const late = await askForMail(app, { subject: "Arrives" });
    await page.locator(`a[href="/approvals/${late.approval}"]`).first().waitFor({ timeout: 30_000 });
    const selected = page.getByRole("list", { name: "Approvals" }).locator("[aria-current=true]");
    expect(await selected.getAttribute("href")).toBe(`/approvals/${approval}`);
    expect(page.url()).toContain(approval);
    await page.keyboard.press("a");
    await decided(page, "Approved").waitFor();
    expect(posted).toEqual([approval]);
    await close();
  });
});
