import { plural } from "@/app/_lib/format";
import { splitText } from "@/app/_lib/split-text";
import { SafeText } from "@/app/_ui/safe-text";
import { Fold } from "./fold";

type Props = { text: string; label: string; mono?: boolean };

/** Prose of any length, whole: folded with its count when long, and an empty one named so. */
export function TextBlock({ text, label, mono = false }: Props) {
  if (text === "") return <i className="text-text3">empty text</i>;
  const { head, rest, lines, bytes } = splitText(text);
  return (
    <div className="grid min-w-0 gap-2">
      <div className="max-w-[48rem]">
        <SafeText text={head} mono={mono} />
      </div>
      {rest === "" ? null : (
        <Fold
          label={`Show all ${plural(lines, "line")}, ${plural(bytes, "byte")}`}
          rest={rest}
          mono={mono}
          part={`Rest of ${label}`}
        />
      )}
    </div>
  );
}
