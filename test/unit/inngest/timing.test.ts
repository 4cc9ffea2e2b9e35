import { describe, expect, test } from "vitest";
import { inngestBackoff, retryAt } from "@/inngest/local/backoff";
import { deadline } from "@/inngest/local/duration";
import { nextFiring } from "@/inngest/local/registration/cron";
import { createSignal } from "@/inngest/local/signal";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

describe("deadlines", () => {
  test.each([
    ["90s", "2026-11-30T12:01:30.000Z"],
    ["1d2h", "2026-12-01T14:00:00.000Z"],
    ["1w", "2026-12-07T12:00:00.000Z"],
    ["1.5h", "2026-11-30T13:30:00.000Z"],
    ["500ms", "2026-11-30T12:00:00.500Z"],
    ["", "2026-11-30T12:00:00.000Z"],
    [undefined, "2026-11-30T12:00:00.000Z"],
    ["2026-12-24T00:00:00Z", "2026-12-24T00:00:00.000Z"],
    ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z"],
    ["366d", "2027-12-01T12:00:00.000Z"],
  ])("%s is %s", (text, expected) => {
    expect(iso(deadline(text, NOW))).toBe(expected);
  });

  test.each(["soon", "5 minutes", "1h2", "-5s", "h", "366d1s", "2030-01-01T00:00:00Z", "999999999999999w"])(
    "%s is refused",
    (text) => {
      expect(() => deadline(text, NOW)).toThrow();
    },
  );
});

describe("retries", () => {
  test("wait longer each time, from 15 seconds to two hours and a half minute", () => {
    const ranges = Array.from({ length: 12 }, (_, attempt) => inngestBackoff(attempt));
    expect(ranges[0]).toBeGreaterThanOrEqual(15_000);
    expect(ranges[0]).toBeLessThan(45_000);
    expect(ranges[11]).toBeGreaterThanOrEqual(7_200_000);
    expect(ranges[11]).toBeLessThan(7_230_000);
  });

  test.each([
    [null, 1_000],
    ["30", 30_000],
    ["0", 1_000],
    ["9999999", 86_400_000],
    ["2026-11-30T12:10:00Z", 600_000],
    ["2020-01-01T00:00:00Z", 1_000],
    ["nonsense", 1_000],
  ])("retry-after %s waits %s ms", (header, expected) => {
    expect(retryAt(header, 0, NOW, () => 1_000) - NOW).toBe(expected);
  });
});

describe("schedules", () => {
  test.each([
    ["*/15 * * * *", "2026-11-30T12:15:00.000Z"],
    ["0 9 * * MON", "2026-12-07T09:00:00.000Z"],
    ["0 9 1 JAN *", "2027-01-01T09:00:00.000Z"],
    ["30 8-10,14 * * 1-5", "2026-11-30T14:30:00.000Z"],
    ["TZ=Europe/Paris 0 14 * * *", "2026-11-30T13:00:00.000Z"],
    ["CRON_TZ=Asia/Tokyo 0 0 * * *", "2026-11-30T15:00:00.000Z"],
  ])("%s fires next at %s", (schedule, expected) => {
    expect(iso(nextFiring(schedule, NOW))).toBe(expected);
  });

  test.each([
    "@daily",
    "* * * * * *",
    "* * * *",
    "0 0 L * *",
    "0 0 15W * *",
    "0 0 * * 5#2",
    "0 0 ? * *",
    "0 0 * * 7",
    "61 * * * *",
    "0 0 * * FUN",
    "TZ=Nowhere/Town 0 0 * * *",
    "",
  ])("%s is refused", (schedule) => {
    expect(() => nextFiring(schedule, NOW)).toThrow();
  });
});

test("a signal raised while nobody waits is not lost", async () => {
  const signal = createSignal();
  signal.raise();
  signal.raise();
  await signal.wait(60_000);
  const waiting = signal.wait(60_000);
  signal.raise();
  await waiting;
});
