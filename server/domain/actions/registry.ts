import type { ActionDefinition } from "@/server/domain/action";
import { emailSend } from "@/server/domain/actions/email-send";
import { httpRequest } from "@/server/domain/actions/http-request";

const registered = new Map<string, ActionDefinition>([emailSend, httpRequest].map((action) => [action.name, action]));

/** For the benchmark alone, which adds an action without effect. Throws if the name is taken. */
export function registerAction(action: ActionDefinition): void {
  if (registered.has(action.name)) throw new Error(`action ${action.name} exists`);
  registered.set(action.name, action);
}

/** The action of that name, or null: what is not in the list does not exist. */
export const findAction = (name: string): ActionDefinition | null => registered.get(name) ?? null;

export const listActions = (): readonly ActionDefinition[] => [...registered.values()];
