import { diffWordsWithSpace } from "diff";
import { keyed } from "@/app/_lib/keyed";
import { Ungated } from "@/app/_ui/read-gate";
import { SafeText } from "@/app/_ui/safe-text";
import type { Change } from "@/server/domain/edit";
import type { JsonValue } from "@/server/domain/json";
import { ValueView } from "./values-view";

/** Texts further apart than this many words are shown one after the other. */
const MAX_EDITS = 400;

/** The arguments that differ between two versions of a call. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className="grid min-w-0 gap-3">
      {changes.map((change) => (
        <div key={change.field} className="grid min-w-0 gap-1">
          <dt className="text-text3">
            <SafeText text={change.field} oneLine mono />
          </dt>
          <dd className="min-w-0">
            <OneChange change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function OneChange({ change }: { change: Change }) {
  const { before, after } = change;
  if (typeof before === "string" && typeof after === "string") return <TextChange before={before} after={after} />;
  if (Array.isArray(before) && (after === undefined || Array.isArray(after))) {
    return <ListChange before={before} after={after ?? []} />;
  }
  return <BeforeAfter {...change} />;
}

function TextChange({ before, after }: { before: string; after: string }) {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return <BeforeAfter field="text" before={before} after={after} />;
  return (
    <p className="wrap-anywhere">
      {keyed(parts).map(({ key, item: { added, removed, value } }) =>
        removed ? (
          <Removed key={key}>
            <SafeText text={value} />
          </Removed>
        ) : added ? (
          <Added key={key}>
            <SafeText text={value} />
          </Added>
        ) : (
          <SafeText key={key} text={value} />
        ),
      )}
    </p>
  );
}

/** Entries only ever go: each of the old list stands or is struck out. */
function ListChange({ before, after }: { before: readonly JsonValue[]; after: readonly JsonValue[] }) {
  let kept = 0;
  const entries = before.map((entry) => {
    const isKept = JSON.stringify(entry) === JSON.stringify(after[kept]);
    if (isKept) kept += 1;
    return { text: typeof entry === "string" ? entry : JSON.stringify(entry), isKept };
  });
  return (
    <ul className="grid gap-1">
      {keyed(entries).map(({ key, item: { text, isKept } }) => (
        <li key={key}>
          {isKept ? (
            <SafeText text={text} oneLine />
          ) : (
            <Removed>
              <SafeText text={text} oneLine />
            </Removed>
          )}
        </li>
      ))}
    </ul>
  );
}

function BeforeAfter({ field, before, after }: Change) {
  return (
    <Ungated>
      {before === undefined ? null : (
        <Removed>
          <ValueView value={before} label={`${field} before`} />
        </Removed>
      )}
      {after === undefined ? (
        <span className="text-text2">left out</span>
      ) : (
        <Added>
          <ValueView value={after} label={`${field} after`} />
        </Added>
      )}
    </Ungated>
  );
}

/** Colour and line say it to the eye, the words to a screen reader. */
function Removed({ children }: { children: React.ReactNode }) {
  return (
    <del className="text-stop">
      <span className="sr-only"> removed: </span>
      {children}
      <span className="sr-only"> end of removed. </span>
    </del>
  );
}

function Added({ children }: { children: React.ReactNode }) {
  return (
    <ins className="text-ok">
      <span className="sr-only"> added: </span>
      {children}
      <span className="sr-only"> end of added. </span>
    </ins>
  );
}
