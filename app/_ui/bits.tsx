import type { ReactNode } from "react";
import { formatMicros } from "@/app/_lib/format";
import { Ago } from "./clock";
import { SafeText } from "./safe-text";
import type { Cost, Given } from "./types";

export function Money({ micros, currency }: Cost) {
  return <span className="whitespace-nowrap">{formatMicros(micros, currency)}</span>;
}

/** What an agent says about its own request. It comes last, and never looks like something we checked. */
export function Claim({ agentName, text }: { agentName: string; text: string }) {
  return (
    <div className="claim">
      <p className="mb-1 text-xs font-semibold">
        Written by <SafeText text={agentName} oneLine />. Not checked.
      </p>
      <SafeText text={text} />
    </div>
  );
}

type Signature = { asked: string; given: readonly Given[]; open: boolean; you?: boolean };

/** Who asked, who signed, and the line that still waits. */
export function SignatureLine({ asked, given, open, you = false }: Signature) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-text2">
      <span>
        Asked{" "}
        <strong className="text-text">
          <SafeText text={asked} oneLine />
        </strong>
      </span>
      {given.map((one, index) => (
        <span key={`${one.name}${one.at.getTime()}`}>
          {signedAs(one, index, given.length, open)}{" "}
          <strong className="text-text">
            <SafeText text={one.name} oneLine />
          </strong>{" "}
          <Ago at={one.at} />
        </span>
      ))}
      {open ? (
        <span className="whitespace-nowrap">
          Countersign <span className="inline-block w-16 border-b border-edge sm:w-24" aria-hidden />{" "}
          {you ? "you" : <span className="sr-only">nobody yet</span>}
        </span>
      ) : null}
    </p>
  );
}

function signedAs(one: Given, index: number, count: number, open: boolean): string {
  if (one.decision === "reject") return "Rejected";
  return index === 0 && (count > 1 || open) ? "First" : "Countersigned";
}

/** Nothing to show, and what would change that; as a card where the rows would be cards. */
export function Empty({ children, card = false }: { children: ReactNode; card?: boolean }) {
  return <div className={`grid justify-items-start gap-3 px-4 py-8 text-text2${card ? " card" : ""}`}>{children}</div>;
}

/** A bar of the height of what is coming, shown once the wait has lasted 200 ms. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} aria-hidden />;
}

export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </header>
  );
}

export function Section({ title, children, id }: { title: string; children: ReactNode; id: string }) {
  return (
    <section aria-labelledby={id} className="grid content-start gap-2">
      <h2 id={id} className="text-md font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Keeps "e-mail" on one line: the typeface has no hyphen that does not break. */
export function Unbroken({ text }: { text: string }) {
  return text.split(/(e-mail)/).map((part) =>
    part === "e-mail" ? (
      <span key="e-mail" className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
