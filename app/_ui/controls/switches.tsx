"use client";

import { setReadOnly, switchAction } from "@/app/_ui/actions";
import { Pill } from "@/app/_ui/pill";
import { ReasonDialog } from "@/app/_ui/reason-dialog";

type Props = { readOnly: boolean; actions: readonly string[]; actionsOff: readonly string[]; mayActivate: boolean };

const REASON = { label: "Reason", required: true };

/** Smaller stops: read-only for all, and single actions. */
export function Switches({ readOnly, actions, actionsOff, mayActivate }: Props) {
  return (
    <ul className="card divide-y divide-line">
      <Row title="Read-only" about="Effects of all agents are kept as proposals" isOn={readOnly} on="on" off="off">
        {mayActivate ? <ReadOnly isOn={readOnly} /> : null}
      </Row>
      {[...new Set([...actions, ...actionsOff])].map((action) => (
        <Row key={action} title={action} about="" isOn={actionsOff.includes(action)} on="switched off" off="available">
          {mayActivate ? <ActionSwitch action={action} isOff={actionsOff.includes(action)} /> : null}
        </Row>
      ))}
    </ul>
  );
}

type RowProps = { title: string; about: string; isOn: boolean; on: string; off: string; children: React.ReactNode };

function Row({ title, about, isOn, on, off, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="min-w-0 flex-1">
        <strong>{title}</strong>
        {about ? <span className="block text-sm text-text2">{about}</span> : null}
      </span>
      <Pill tone={isOn ? "wait" : "plain"}>{isOn ? on : off}</Pill>
      {children}
    </li>
  );
}

function ReadOnly({ isOn }: { isOn: boolean }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          {isOn ? "End read-only" : "Make read-only"}
        </button>
      }
      title={isOn ? "End read-only?" : "Make all agents read-only?"}
      reason={REASON}
      confirm={isOn ? "End read-only" : "Make read-only"}
      keep="Leave as it is"
      onConfirm={(reason) => setReadOnly({ enabled: !isOn, reason })}
    >
      <p>
        {isOn
          ? "Effects run again, as grants and rules allow."
          : "Reads go on. Effects are refused and kept as proposals."}
      </p>
    </ReasonDialog>
  );
}

function ActionSwitch({ action, isOff }: { action: string; isOff: boolean }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn" aria-label={`${isOff ? "Switch on" : "Switch off"} ${action}`}>
          {isOff ? "Switch on" : "Switch off"}
        </button>
      }
      title={`${isOff ? "Switch on" : "Switch off"} ${action}?`}
      reason={REASON}
      confirm={`${isOff ? "Switch on" : "Switch off"} ${action}`}
      keep="Leave as it is"
      onConfirm={(reason) => switchAction({ action, enabled: isOff, reason })}
    >
      <p>{isOff ? "Agents with a grant for it can use it again." : "Every agent’s call of it is refused."}</p>
    </ReasonDialog>
  );
}
