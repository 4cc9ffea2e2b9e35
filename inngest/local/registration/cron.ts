import { Cron } from "croner";

const PARTS = /^(?:(?:CRON_)?TZ=(?<zone>[A-Za-z0-9_+/-]{1,60}) +)?(?<fields>\S+(?: +\S+){4})$/;
/** What every implementation reads alike; `L`, `W`, `#`, `?`, `@daily` and a seventh weekday are where they differ. */
const FIELD =
  /^(?:\*|[0-9A-Za-z]+(?:-[0-9A-Za-z]+)?)(?:\/[0-9]+)?(?:,(?:\*|[0-9A-Za-z]+(?:-[0-9A-Za-z]+)?)(?:\/[0-9]+)?)*$/;
const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

const isPortable = (field: string): boolean =>
  FIELD.test(field) && (field.match(/[A-Za-z]+/g) ?? []).every((word) => NAMES.test(word));

function read(schedule: string): { fields: string; zone: string } {
  const { fields = "", zone = "UTC" } = PARTS.exec(schedule)?.groups ?? {};
  const list = fields.split(/ +/);
  if (list.length !== 5 || !list.every(isPortable)) throw new Error("a schedule has five ordinary fields");
  if (/7/.test(list[4]?.replace(/\/[0-9]+/g, "") ?? "")) throw new Error("weekdays are 0 to 6");
  return { fields: list.join(" "), zone };
}

/** When a schedule fires next after `now`, in epoch ms; undefined if never. Throws when the schedule is not portable. */
export function nextFiring(schedule: string, now: number): number | undefined {
  const { fields, zone } = read(schedule);
  const cron = new Cron(fields, { timezone: zone, paused: true, mode: "5-part" });
  return cron.nextRun(new Date(now))?.getTime();
}
