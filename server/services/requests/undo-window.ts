import type { ActionDefinition } from "@/server/domain/action";

/** Whole seconds between a decision and the effect: the organization's wish within what the action declares. */
export function undoSeconds(action: Pick<ActionDefinition, "undo">, wishedS: number): number {
  if (action.undo === null) return 0;
  return Math.min(action.undo.maxS, Math.max(action.undo.minS, wishedS));
}
