import type { ActiveControl } from "@/app/_ui/control-stripe";
import type { ControlsView } from "@/server/services/controls/get";

/** What is stopped, for the stripe on every page. */
export function activeControls(controls: ControlsView): ActiveControl[] {
  const { killSwitch, deploymentLevel, readOnly, actionsOff } = controls;
  const own: ActiveControl[] = killSwitch
    ? [
        {
          kind: killSwitch.level,
          by: killSwitch.byName,
          at: killSwitch.at,
          ...(killSwitch.reason === null ? {} : { reason: killSwitch.reason }),
        },
      ]
    : [];
  return [
    ...(deploymentLevel ? [{ kind: deploymentLevel, fromEnvironment: true } as const] : []),
    ...own,
    ...(readOnly ? [{ kind: "read_only" } as const] : []),
    ...actionsOff.map((subject) => ({ kind: "action_off", subject }) as const),
  ];
}
