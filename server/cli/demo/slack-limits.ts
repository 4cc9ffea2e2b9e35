type Part = Readonly<Record<string, unknown>>;
const length = (value: unknown) => (typeof value === "string" ? value.length : 0);
const textOf = (value: unknown) => (value as { text?: unknown } | undefined)?.text;

function buttonFaults(element: Part): string[] {
  if (element.type !== "button") return [];
  const faults: [number, number, string][] = [
    [length(textOf(element.text)), 75, "a button's text"],
    [length(element.value), 2_000, "a button's value"],
    [length(element.action_id), 255, "an action_id"],
    [length(element.url), 3_000, "a button's url"],
  ];
  return faults.flatMap(([given, limit, what]) => (given > limit ? [`${what} beyond ${limit}`] : []));
}

function emptyTexts(element: Part): string[] {
  const inner = (element.elements as Part[] | undefined) ?? [];
  return inner.some((part) => part.type === "text" && part.text === "") ? ["an empty text"] : [];
}

function blockFaults(block: Part): string[] {
  const limit = block.type === "header" ? 150 : 3_000;
  const own = length(textOf(block.text)) > limit ? [`a ${String(block.type)} beyond ${limit}`] : [];
  const elements = (block.elements as Part[] | undefined) ?? [];
  return [...own, ...elements.flatMap((element) => [...buttonFaults(element), ...emptyTexts(element)])];
}

/** What Slack would refuse of a message's blocks, the limit that it does not document included. */
export function faultsOf(blocks: unknown): string[] {
  if (!Array.isArray(blocks)) return [];
  if (blocks.length > 50) return ["more than 50 blocks"];
  if (JSON.stringify(blocks).length > 13_200) return ["blocks too long together"];
  return (blocks as Part[]).flatMap(blockFaults);
}
