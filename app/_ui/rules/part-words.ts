import type { RulePart, RulePartKind, TargetKind } from "@/server/domain/rule-forms";

export const PART_NAMES: Record<RulePartKind, string> = {
  actions: "The action",
  amount: "The amount",
  newTargets: "New recipients",
  categories: "What it touches",
  outsideHours: "Outside hours",
  labels: "Labels of the session",
};

export const TARGET_NAMES: Record<TargetKind, string> = {
  any: "a recipient of any kind",
  address: "an address",
  host: "a host",
  repository: "a repository",
  channel: "a channel",
};

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** `09:30` of minutes since midnight, and back; NaN where it is no time. */
export const timeText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
export function minutesOf(text: string): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

const or = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
const plain = (word: string): string => word.replaceAll("_", " ");

/** One part of a condition in words, such as `the amount is above 500 EUR`. */
function partWords(part: RulePart): string {
  switch (part.kind) {
    case "actions":
      return `the action is ${or(part.actions)}`;
    case "amount": {
      const above = part.limits.map(({ currency, above: limit }) => `above ${limit} ${currency}`);
      return `the amount is ${or([...above, ...(part.others ? ["in another currency"] : [])])}`;
    }
    case "newTargets": {
      const who = part.to === "agent" ? "this agent" : "nobody in the organization";
      const verb = part.to === "agent" ? "has not reached" : "has reached";
      return `it reaches ${TARGET_NAMES[part.of]} that ${who} ${verb} before`;
    }
    case "categories":
      return `it touches ${or(part.categories.map(plain))}`;
    case "outsideHours": {
      const days = or(part.weekdays.map((day) => WEEKDAYS[day] ?? ""));
      return `it is not ${days} between ${timeText(part.from)} and ${timeText(part.until)} in ${part.zone}`;
    }
    case "labels":
      return `the session is ${or(part.labels)}`;
  }
}

/** All parts of a condition as one sentence. */
export function conditionWords(parts: readonly RulePart[]): string {
  return `When ${parts.map(partWords).join(", and ")}.`;
}
