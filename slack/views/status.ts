import type { StatusFacts } from "@/server/services/slack/status-facts";
import { type Block, data, header, sentence } from "@/slack/card/blocks";
import type { Card } from "@/slack/card/card";
import { visibleLine } from "@/slack/card/visible-text";

const LEVELS = { freeze: "Frozen", lockdown: "Locked down" } as const;

function headline({ level, deploymentLevel, isReadOnly }: StatusFacts): string {
  if (deploymentLevel !== null) return `${LEVELS[deploymentLevel]} by the operator: no effect starts`;
  if (level !== null) return `${LEVELS[level]}: no effect starts`;
  return isReadOnly ? "Read-only: effects are kept as proposals" : "Running";
}

const list = (heading: string, names: readonly string[], count = names.length): Block[] => {
  if (count === 0) return [];
  const more = count > names.length ? `\nand ${count - names.length} more` : "";
  return [data(heading, `${names.map(visibleLine).join("\n")}${more}`)];
};

const MAX_ACTIONS = 20;

/** What is stopped and what waits, for the person who asked. */
export function statusCard(facts: StatusFacts): Card {
  const text = headline(facts);
  const waits = facts.waiting === null ? [] : [sentence(waiting(facts.waiting))];
  return {
    text,
    blocks: [
      header(text),
      ...(facts.levelBy === null ? [] : [data("By", visibleLine(facts.levelBy))]),
      ...(facts.level !== null && facts.isReadOnly ? [sentence("Read-only as well.")] : []),
      ...list("Switched off", facts.actionsOff.slice(0, MAX_ACTIONS), facts.actionsOff.length),
      ...list("Paused agents", facts.paused, facts.pausedCount),
      ...waits,
    ],
  };
}

function waiting(count: number): string {
  if (count === 0) return "Nothing waits for a person.";
  return count === 1 ? "1 request waits for a person." : `${count} requests wait for a person.`;
}
