"use client";

import { activateKillSwitch, releaseKillSwitch } from "@/app/_ui/actions";
import { ReasonDialog } from "@/app/_ui/reason-dialog";

type Level = "freeze" | "lockdown";

const REASON = { label: "Reason, for everybody to see", required: true };

/** Stopping takes any admin, a reason and two presses. */
export function ActivateSwitch({ current }: { current: Level | null }) {
  return (
    <>
      {current === null ? (
        <ReasonDialog
          trigger={
            <button type="button" className="btn btn-stop-solid">
              Freeze
            </button>
          }
          title="Freeze all agents?"
          reason={REASON}
          confirm="Freeze agents"
          keep="Keep running"
          tone="stop"
          onConfirm={(reason) => activateKillSwitch({ level: "freeze", reason })}
        >
          <p>
            Agents can still read. No effect starts from this moment; what was about to run goes back to the queue and
            waits until the freeze is lifted. Only an owner can lift it.
          </p>
        </ReasonDialog>
      ) : null}
      <ReasonDialog
        trigger={
          <button type="button" className="btn btn-stop">
            Lock down
          </button>
        }
        title="Lock everything down?"
        reason={REASON}
        confirm="Lock down"
        keep={current === null ? "Keep running" : "Keep frozen"}
        tone="stop"
        onConfirm={(reason) => activateKillSwitch({ level: "lockdown", reason })}
      >
        <p>Every call of every agent is refused, reads included. Only an owner can lift it.</p>
      </ReasonDialog>
    </>
  );
}

type ReleaseProps = { version: number; level: Level; waiting: number };

/** Names the version that was seen: a newer stop is never lifted by an older page. */
export function ReleaseSwitch({ version, level, waiting }: ReleaseProps) {
  const what = level === "freeze" ? "freeze" : "lockdown";
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn btn-ink">
          Lift {what}
        </button>
      }
      title={`Lift the ${what}?`}
      reason={REASON}
      confirm={`Lift ${what}`}
      keep={`Keep ${what}`}
      onConfirm={(reason) => releaseKillSwitch({ version, reason })}
    >
      <p>
        Agents run again. {waiting} held {waiting === 1 ? "request waits" : "requests wait"} for a person, with their
        whole time counting from now. Nothing runs by itself.
      </p>
    </ReasonDialog>
  );
}
