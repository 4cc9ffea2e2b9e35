import { Fragment } from "react";
import { type Run, type VisibleOptions, visible } from "@/server/domain/visible/visible";

type Props = VisibleOptions & { text: string; mono?: boolean };

/**
 * The only way in which text of an agent, a provider or the outside reaches a page. Nothing in it stays invisible, it
 * cannot change the order of what stands around it, and it never becomes markup.
 */
export function SafeText({ text, mono = false, ...options }: Props) {
  return <bdi className={mono ? "exact mono" : "exact"}>{visible(text, options).map(drawRun)}</bdi>;
}

function drawRun(run: Run, index: number) {
  if (run.kind === "text") return run.text;
  if (run.kind === "mixed") return <MixedWord key={`${index}`} run={run} />;
  return <HiddenBox key={`${index}`} run={run} />;
}

function MixedWord({ run }: { run: Run & { kind: "mixed" } }) {
  return (
    <span className="mixed-script" title={run.note}>
      {run.text}
      <span className="sr-only"> ({run.note}) </span>
    </span>
  );
}

function HiddenBox({ run }: { run: Run & { kind: "box" } }) {
  const look = `hidden-char${run.quiet ? " hidden-char-quiet" : ""}${run.endsLine ? " hidden-char-lines" : ""}`;
  const name = `hidden: ${run.name}`;
  return (
    <Fragment>
      <span className={look} role="img" aria-label={name} title={name}>
        {run.label}
      </span>
      {run.reads === undefined ? null : <span className="hidden-char">reads “{run.reads}”</span>}
    </Fragment>
  );
}
