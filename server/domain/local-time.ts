const MAX_FORMATS = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether the runtime knows a time zone by this name of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  return formatOf(zone) !== null;
}

/** Minutes since midnight in a time zone. Throws on an unknown one. */
export const minuteOfDayIn = (at: Date, zone: string): number => partsIn(at, zone).minute;

/** The day of the week in a time zone, from 0, Sunday. Throws on an unknown one. */
export const weekdayIn = (at: Date, zone: string): number => partsIn(at, zone).weekday;

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function partsIn(at: Date, zone: string): { minute: number; weekday: number } {
  const format = formatOf(zone);
  if (format === null) throw new RangeError("unknown time zone");
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
    weekday: WEEKDAYS.indexOf(parts.get("weekday") ?? ""),
  };
}

// Making a format takes far longer than using it.
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
    });
    if (formats.size >= MAX_FORMATS) formats.clear();
    formats.set(zone, made);
    return made;
  } catch {
    return null;
  }
}
