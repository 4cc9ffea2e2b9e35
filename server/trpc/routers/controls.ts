import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { controlsSchema, controlVersionSchema, getControls } from "@/server/services/controls/get";
import { controlChangesSchema, listControlChanges } from "@/server/services/controls/list-changes";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { setReadOnly } from "@/server/services/controls/set-read-only";
import { switchAction } from "@/server/services/controls/switch-action";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Controls"] as const;

export const controlsRouter = router({
  get: procedureOf(getControls, {
    method: "GET",
    path: "/controls",
    summary: "Read what is stopped, by whom and why.",
    tags,
    output: controlsSchema,
  }),
  listChanges: procedureOf(listControlChanges, {
    method: "GET",
    path: "/controls/changes",
    summary: "List every change of the controls, newest first.",
    tags,
    output: controlChangesSchema,
  }),
  activate: procedureOf(activateKillSwitch, {
    method: "POST",
    path: "/controls/kill-switch",
    summary: "Freeze the organization or lock it down. No effect starts after the answer.",
    tags,
    output: controlVersionSchema,
    example: { level: "freeze", reason: "Odd mails are going out." },
  }),
  release: procedureOf(releaseKillSwitch, {
    method: "POST",
    path: "/controls/release",
    summary: "Lift the kill switch that you saw. Owners only.",
    tags,
    output: controlVersionSchema,
    example: { version: 2, reason: "The agent was reconfigured." },
  }),
  setReadOnly: procedureOf(setReadOnly, {
    method: "POST",
    path: "/controls/read-only",
    summary: "Keep every effect as a proposal, or let effects run again.",
    tags,
    output: controlVersionSchema,
    example: { enabled: true, reason: "Stocktaking." },
  }),
  switchAction: procedureOf(switchAction, {
    method: "PUT",
    path: "/controls/actions/{action}",
    summary: "Switch an action, or a whole tool, off or on.",
    tags,
    output: controlVersionSchema,
    example: { enabled: false, reason: "The provider is down." },
  }),
});
