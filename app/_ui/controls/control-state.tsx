import { OctagonX, ShieldCheck } from "lucide-react";
import { At } from "@/app/_ui/clock";
import { SafeText } from "@/app/_ui/safe-text";
import type { ControlsView } from "@/server/services/controls/get";
import { ActivateSwitch, ReleaseSwitch } from "./kill-switch";

type Props = { controls: ControlsView; may: { activate: boolean; release: boolean }; waiting: number };

const HEADLINES = {
  freeze: "Frozen",
  lockdown: "Locked down",
} as const;

const MEANINGS = {
  freeze: "Agents may read. No effect runs, nothing can be approved; rejecting works.",
  lockdown: "Every call of every agent is refused, reads included.",
} as const;

/** The state of the kill switch in the largest type of the product, and the way to change it. */
export function ControlState({ controls, may, waiting }: Props) {
  const { killSwitch, deploymentLevel } = controls;
  const level = killSwitch?.level ?? deploymentLevel;
  return (
    <section aria-labelledby="state" className="card grid gap-4 p-5">
      <h2 id="state" className={`flex items-center gap-3 text-xl font-semibold ${level ? "text-stop" : ""}`}>
        {level ? (
          <OctagonX size={26} strokeWidth={1.75} aria-hidden />
        ) : (
          <ShieldCheck size={26} strokeWidth={1.75} aria-hidden />
        )}
        {level ? HEADLINES[level] : "Agents run"}
      </h2>
      <p className="text-text2">
        {level ? MEANINGS[level] : "Every call passes the checks; what asks, waits for a person."}
      </p>
      {killSwitch ? (
        <p>
          By <SafeText text={killSwitch.byName} oneLine />, <At time={killSwitch.at} />
          {killSwitch.reason ? (
            <>
              : “<SafeText text={killSwitch.reason} />”
            </>
          ) : null}
        </p>
      ) : null}
      {deploymentLevel ? (
        <p className="notice notice-stop">
          Set to {deploymentLevel} in the environment of a server. Nobody can lift it here: an operator has to take{" "}
          <code>KILL_SWITCH</code> out and restart.
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {killSwitch && may.release ? (
          <ReleaseSwitch version={controls.version} level={killSwitch.level} waiting={waiting} />
        ) : null}
        {may.activate && killSwitch?.level !== "lockdown" ? (
          <ActivateSwitch current={killSwitch?.level ?? null} />
        ) : null}
        {killSwitch && !may.release ? <p className="self-center text-text2">An owner can lift it.</p> : null}
      </div>
    </section>
  );
}
