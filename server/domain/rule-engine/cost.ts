import { isJsonObject, type JsonValue } from "@/server/domain/json";
import type { RuleFacts } from "@/server/domain/rule";
import type { Shape } from "@/server/domain/rule-engine/inspect";

/** How big the values are that a condition can get hold of. */
export type InputSize = {
  readonly longestList: number;
  readonly elements: number;
  readonly characters: number;
};

// One unit is about a microsecond at worst, measured on text made to defeat the search.
const ELEMENTS_PER_UNIT = 16;
const CHARACTERS_PER_UNIT = 4_096;
const COMPARISONS_PER_UNIT = 1_400;

/** About 50 ms at worst for one rule and half a second for a whole set. Real rules need a few units. */
export const MAX_RULE_COST = 50_000;
export const MAX_SET_COST = 500_000;

/** An upper bound of what evaluating a condition over such input can take, in units. Never evaluates anything. */
export function costOf(shape: Shape, facts: InputSize, args: InputSize): number {
  const size = shape.readsArguments ? joined(facts, args) : facts;
  const longestList = Math.max(size.longestList, shape.longestListLiteral, 1) * shape.growth;
  const characters = size.characters * shape.growth;
  const perNode = 1 + size.elements / ELEMENTS_PER_UNIT + characters / CHARACTERS_PER_UNIT;
  let cost = 0;
  for (const [loops, nodes] of shape.nodesByLoops.entries()) cost += nodes * perNode * longestList ** loops;
  for (const { loops, patternLength } of shape.searches) {
    const pattern = Math.min(patternLength ?? characters, characters / 2);
    cost += ((characters * pattern) / COMPARISONS_PER_UNIT) * longestList ** loops;
  }
  return cost;
}

function joined(a: InputSize, b: InputSize): InputSize {
  return {
    longestList: Math.max(a.longestList, b.longestList),
    elements: a.elements + b.elements,
    characters: a.characters + b.characters,
  };
}

/** The size of everything but the arguments. */
export function sizeOfFacts(facts: RuleFacts): InputSize {
  const lists = [
    facts.recipients,
    facts.hosts,
    facts.categories,
    facts.newTargets,
    facts.newToOrganization,
    facts.session.labels,
  ];
  const texts = [...Object.values(facts.agent), ...Object.values(facts.connection), facts.action, facts.session.origin];
  return {
    longestList: Math.max(...lists.map((list) => list.length)),
    elements: lists.reduce((sum, list) => sum + list.length, 0),
    characters: [...lists.flat(), ...texts].reduce((sum, text) => sum + text.length, 0),
  };
}

/** The size of the arguments: every list and object counts, keys too. */
export function sizeOfJson(value: JsonValue): InputSize {
  const size = { longestList: 0, elements: 0, characters: 0 };
  const rest: JsonValue[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    size.elements += 1;
    size.characters += ownCharacters(next);
    if (next === null || typeof next !== "object") continue;
    const items = Object.values(next);
    size.longestList = Math.max(size.longestList, items.length);
    for (const item of items) rest.push(item);
  }
  return size;
}

function ownCharacters(value: JsonValue): number {
  if (typeof value === "string") return value.length;
  if (!isJsonObject(value)) return 0;
  return Object.keys(value).reduce((sum, key) => sum + key.length, 0);
}
