import { OctagonX, ShieldCheck } from "lucide-react";
import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { ControlsView, KillSwitchView } from "@/server/services/controls/get";
import { ActivateSwitch, ReleaseSwitch } from "./kill-switch";

type Props = { controls: ControlsView; may: { activate: boolean; release: boolean }; waiting: number };

const STATES = {
  lockdown: { title: "Locked down", about: "Every call of every agent is refused, reads included." },
  freeze: {
    title: "Frozen",
    about: "Agents may read. No effect runs, nothing can be approved; rejecting works.",
  },
  none: { title: "Agents run", about: "Every call passes the checks; what asks, waits for a person." },
} as const;

/** The stricter of the organization's own switch and the one in a server's environment. */
function stateOf({ killSwitch, deploymentLevel }: ControlsView): keyof typeof STATES {
  const levels = [killSwitch?.level, deploymentLevel];
  if (levels.includes("lockdown")) return "lockdown";
  return levels.includes("freeze") ? "freeze" : "none";
}

/** The state of the kill switch in the largest type of the product, and the way to change it. */
export function ControlState({ controls, may, waiting }: Props) {
  const state = stateOf(controls);
  const Icon = state === "none" ? ShieldCheck : OctagonX;
  return (
    <section aria-labelledby="state" className="card grid gap-4 p-5">
      <h2 id="state" className={`flex items-center gap-3 text-xl font-semibold ${state === "none" ? "" : "text-stop"}`}>
        <Icon size={26} strokeWidth={1.75} aria-hidden />
        {STATES[state].title}
      </h2>
      <p className="text-text2">{STATES[state].about}</p>
      {controls.killSwitch ? <Origin killSwitch={controls.killSwitch} /> : null}
      {controls.deploymentLevel ? (
        <p className="notice notice-stop">
          Set to {controls.deploymentLevel} in the environment of a server. Nobody can lift it here: an operator has to
          take <code>KILL_SWITCH</code> out and restart.
        </p>
      ) : null}
      <Ways controls={controls} may={may} waiting={waiting} />
    </section>
  );
}

function Origin({ killSwitch }: { killSwitch: KillSwitchView }) {
  return (
    <p>
      By <SafeText text={killSwitch.byName} oneLine />, <At time={killSwitch.at} />
      {killSwitch.reason ? (
        <>
          : “<SafeText text={killSwitch.reason} />”
        </>
      ) : null}
    </p>
  );
}

function Ways({ controls: { killSwitch, version }, may, waiting }: Props) {
  const level = killSwitch?.level ?? null;
  return (
    <div className="flex flex-wrap gap-3">
      {level && may.release ? <ReleaseSwitch version={version} level={level} waiting={waiting} /> : null}
      {may.activate && level !== "lockdown" ? <ActivateSwitch current={level} /> : null}
      {level && !may.release ? <p className="self-center text-text2">An owner can lift it.</p> : null}
    </div>
  );
}
