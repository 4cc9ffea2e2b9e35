import { type Run, visible } from "@/server/domain/visible/visible";

const OPEN = "\u27E6";
const CLOSE = "\u27E7";

/** The brackets that mark what we say about a character cannot be written by anybody else. */
const asWritten = (text: string) =>
  text.replaceAll(/[\u27E6\u27E7]/g, (bracket) => `${OPEN}U+${bracket === OPEN ? "27E6" : "27E7"}${CLOSE}`);

function shownRun(run: Run): string {
  if (run.kind === "text") return asWritten(run.text);
  if (run.kind === "mixed") return `${asWritten(run.text)}${OPEN}MIXED SCRIPTS${CLOSE}`;
  const reads = run.reads === undefined ? "" : ` reads ${JSON.stringify(asWritten(run.reads))}`;
  return `${OPEN}${run.label}${reads}${CLOSE}${run.endsLine ? "\n" : ""}`;
}

/** Text in which nothing stays invisible: hidden and bidirectional characters stand in brackets, look-alike words are marked. */
export const visibleText = (text: string): string => visible(text).map(shownRun).join("");

/** The same on one line. */
export const visibleLine = (text: string): string => visible(text, { oneLine: true }).map(shownRun).join("");
