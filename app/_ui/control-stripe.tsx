import { OctagonX, PauseCircle } from "lucide-react";
import Link from "next/link";
import { At } from "./clock";
import { SafeText } from "./safe-text";

export type ActiveControl = {
  kind: "freeze" | "lockdown" | "read_only" | "action_off";
  /** The action, where one is switched off. */
  subject?: string;
  by?: string;
  at?: Date;
  reason?: string;
  /** Set in the server's environment: nobody can lift it here. */
  fromEnvironment?: boolean;
};

const WORDS = {
  freeze: "Frozen: agents may read, no effect runs and nothing can be approved",
  lockdown: "Locked down: every call of an agent is refused",
  read_only: "Read-only: effects are kept as proposals",
  action_off: "Switched off",
} as const satisfies Record<ActiveControl["kind"], string>;

/** On every page while something is stopped, with who did it and why. */
export function ControlStripe({ controls }: { controls: readonly ActiveControl[] }) {
  if (controls.length === 0) return null;
  return (
    <section aria-label="Active controls">
      <ul>
        {controls.map((control) => (
          <Stripe key={control.kind + (control.subject ?? "")} control={control} />
        ))}
      </ul>
    </section>
  );
}

function Stripe({ control }: { control: ActiveControl }) {
  const isStop = control.kind === "freeze" || control.kind === "lockdown";
  const Icon = isStop ? OctagonX : PauseCircle;
  return (
    <li
      className={`flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 text-sm lg:px-8 ${
        isStop ? "bg-[var(--stop-solid)] text-on-stop" : "bg-wait-tint text-wait"
      }`}
    >
      <strong>
        <Icon size={16} strokeWidth={1.75} aria-hidden className="mr-2 inline align-[-3px]" />
        {WORDS[control.kind]}
        {control.subject ? (
          <>
            : <SafeText text={control.subject} oneLine />
          </>
        ) : null}
      </strong>
      <Origin control={control} />
      <Link href={"/controls"} className="ml-auto underline underline-offset-2" prefetch={false}>
        Open controls
      </Link>
    </li>
  );
}

function Origin({ control }: { control: ActiveControl }) {
  if (control.fromEnvironment) return <span>set in the server’s environment</span>;
  return (
    <span>
      {control.by ? (
        <>
          by <SafeText text={control.by} oneLine />{" "}
        </>
      ) : null}
      {control.at ? <At time={control.at} /> : null}
      {control.reason ? (
        <>
          {" "}
          “<SafeText text={control.reason} oneLine />”
        </>
      ) : null}
    </span>
  );
}
