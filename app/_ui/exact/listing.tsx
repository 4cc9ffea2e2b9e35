import { formatCount, plural } from "@/app/_lib/format";
import { keyed } from "@/app/_lib/keyed";
import { splitText } from "@/app/_lib/split-text";
import { SafeText } from "@/app/_ui/safe-text";
import { Fold } from "./fold";
import { highlightLines, type Language, type Token } from "./highlight";

type Props = { text: string; label: string; language?: Language; numbered?: boolean };

/** Exact source text: every line, numbered and coloured, the part past 60 lines or 8 KB behind a counted fold. */
export function Listing({ text, label, language, numbered = true }: Props) {
  const { head, rest, lines, bytes } = splitText(text);
  const size = `${plural(lines, "line")}, ${plural(bytes, "byte")}`;
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap gap-x-3 text-xs text-text3">
        <span>{label}</span>
        <span>{size}</span>
      </figcaption>
      <div className="listing mono">
        <Lines lines={highlightLines(head, language)} numbered={numbered} />
        {rest === "" ? null : (
          <div className="border-t border-line p-3">
            <Fold label={`Show all ${size}`} rest={rest} source part={`Rest of ${label}`} />
          </div>
        )}
      </div>
    </figure>
  );
}

function Lines({ lines, numbered }: { lines: readonly Token[][]; numbered: boolean }) {
  if (!numbered) {
    return (
      <p className="exact p-3">
        {keyed(lines).map(({ key, item: line }) => (
          <LineTokens key={key} line={line} />
        ))}
      </p>
    );
  }
  return (
    <ol aria-label={`${formatCount(lines.length)} lines`}>
      {keyed(lines).map(({ key, item: line }) => (
        <li key={key}>
          <span>
            <LineTokens line={line} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function LineTokens({ line }: { line: readonly Token[] }) {
  return keyed(line).map(({ key, item: [classes, text] }) => (
    <span key={key} {...(classes ? { className: classes } : {})}>
      <SafeText text={text} source />
    </span>
  ));
}
