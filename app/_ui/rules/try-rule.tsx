"use client";

import { type MouseEvent, useId, useState } from "react";
import { formatCount, plural } from "@/app/_lib/format";
import { Ago } from "@/app/_ui/clock";
import { Pill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import { FaultPlace } from "./fault-place";
import { type Change, type Replay, useReplay } from "./use-replay";

const SPANS = [1, 7, 30, 90] as const;
const SHOWN = 100;

/** Shows what the draft in the form would have done to past requests. Nothing is saved and nothing runs. */
export function TryRule({ draftOf }: { draftOf: (fields: FormData) => object }) {
  const { replay, start, stop } = useReplay();
  const [days, setDays] = useState(7);
  const id = useId();
  const onTry = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form && !replay?.isRunning) void start(draftOf(new FormData(form)), days);
  };
  return (
    <>
      <div className="order-first min-w-0 basis-full">{replay ? <Result replay={replay} stop={stop} /> : null}</div>
      <span className="mr-auto flex flex-wrap items-center gap-2">
        <button type="button" className="btn" onClick={onTry} aria-disabled={replay?.isRunning ?? false}>
          Try on the last {plural(days, "day")}
        </button>
        <label htmlFor={id} className="sr-only">
          Days to look back
        </label>
        <select
          id={id}
          className="input w-auto"
          value={days}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        >
          {SPANS.map((span) => (
            <option key={span} value={span}>
              {plural(span, "day")}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}

function Result({ replay, stop }: { replay: Replay; stop: () => void }) {
  const { failure, isRunning, done, total, changes, unreadable } = replay;
  const isCut = !isRunning && !failure && done < total;
  return (
    <section aria-label="What it would have done" className="grid min-w-0 gap-2 rounded-md border border-line p-3">
      {failure ? (
        <div role="alert" className="text-sm text-stop">
          <p>Not tried to the end: {failure.message}</p>
          {failure.place ? <FaultPlace place={failure.place} /> : null}
        </div>
      ) : null}
      <p role="status">
        {done === 0 && isRunning ? "Reading past requests." : summaryOf(replay)}
        {isCut ? " Stopped before the end." : ""}
        {unreadable > 0 ? ` ${formatCount(unreadable)} can no longer be read and were passed over.` : ""}
      </p>
      {isRunning ? (
        <p className="flex items-center gap-3">
          <progress
            className="min-w-0 flex-1"
            aria-label="Requests tried"
            {...(total > 0 ? { value: done, max: total } : {})}
          />
          <button type="button" className="btn" onClick={stop}>
            Stop
          </button>
        </p>
      ) : null}
      <Counts changes={changes} />
      <Changes changes={changes} />
    </section>
  );
}

function summaryOf({ done, total, days, changes, isRunning }: Replay): string {
  const of = isRunning ? `${formatCount(done)} of ${formatCount(total)} requests tried` : plural(done, "request");
  if (done === 0) return `No request in the last ${plural(days, "day")}.`;
  const what = changes.length === 0 ? "none would change" : `${formatCount(changes.length)} would change`;
  return `${of} of the last ${plural(days, "day")}: ${what}.`;
}

const WORDS = { allow: "runs", approval: "asks", deny: "denied" } as const;
const TONES = { allow: "ok", approval: "wait", deny: "stop" } as const;

const needsOf = ({ verdict, needs }: Change["was"]) =>
  verdict === "approval" && needs ? `${needs.people} × ${needs.role}` : "";
const wordsOf = (one: Change["was"], withNeeds: boolean) =>
  `${WORDS[one.verdict]}${withNeeds ? ` ${needsOf(one)}` : ""}`;
const turnOf = ({ was, would }: Change) => {
  const isSame = was.verdict === would.verdict;
  return `${wordsOf(was, isSame)} → ${wordsOf(would, isSame)}`;
};

function Counts({ changes }: { changes: readonly Change[] }) {
  const counts = new Map<string, number>();
  for (const change of changes) counts.set(turnOf(change), (counts.get(turnOf(change)) ?? 0) + 1);
  if (counts.size === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-label="Changes by kind">
      {[...counts].map(([turn, count]) => (
        <li key={turn}>
          <strong>{formatCount(count)}</strong> {turn}
        </li>
      ))}
    </ul>
  );
}

/** Every request that would change, a hundred more at a time. */
function Changes({ changes }: { changes: readonly Change[] }) {
  const [shown, setShown] = useState(SHOWN);
  if (changes.length === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <ul className="max-h-72 divide-y divide-line overflow-auto" aria-label="Requests that would change" tabIndex={0}>
        {changes.slice(0, shown).map((change) => (
          <li key={change.id} className="grid gap-1 py-2">
            <ChangeRow change={change} />
          </li>
        ))}
      </ul>
      {changes.length > shown ? (
        <button type="button" className="btn justify-self-start" onClick={() => setShown(shown + SHOWN)}>
          Show {formatCount(Math.min(SHOWN, changes.length - shown))} more of {formatCount(changes.length - shown)}
        </button>
      ) : null}
    </>
  );
}

function ChangeRow({ change }: { change: Change }) {
  const { was, would, rules } = change;
  const isSame = was.verdict === would.verdict;
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Pill tone={TONES[was.verdict]}>{wordsOf(was, isSame)}</Pill>
        <span aria-hidden>→</span>
        <span className="sr-only">would be</span>
        <Pill tone={TONES[would.verdict]}>{wordsOf(would, isSame)}</Pill>
        <a
          className="link min-w-0 wrap-anywhere"
          href={`/requests/${encodeURIComponent(change.id)}`}
          target="_blank"
          rel="noreferrer"
        >
          <SafeText text={change.headline ?? change.action} oneLine />
          <span className="sr-only"> (opens another tab)</span>
        </a>
      </span>
      <span className="flex flex-wrap gap-x-3 text-sm text-text3">
        <SafeText text={change.agent.name} oneLine />
        <Ago at={new Date(change.createdAt)} />
        {rules.length > 0 ? <SafeText text={rules.join(", ")} oneLine /> : null}
      </span>
    </>
  );
}
