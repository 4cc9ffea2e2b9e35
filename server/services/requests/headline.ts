import { findAction } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import type { JsonValue } from "@/server/domain/json";
import { openJson } from "@/server/services/gateway/content";

type Stored = { readonly id: string; readonly action: string; readonly sealedArguments: Uint8Array | null };

/**
 * What a stored request asks for, in a few words. Null where the reader may not see content, where the arguments were
 * not stored, and where the action's schema of today does not know them any more.
 */
export async function storedHeadline(actor: MemberActor, stored: Stored): Promise<string | null> {
  if (!actor.permissions.has("content:read") || stored.sealedArguments === null) return null;
  return headlineOf(stored.action, await openJson(actor.orgId, stored.id, "arguments", stored.sealedArguments));
}

/** The headline of opened arguments. */
function headlineOf(action: string, args: JsonValue): string | null {
  const definition = findAction(action);
  const parsed = definition?.parse(args);
  return definition && parsed?.ok ? definition.headline(parsed.args) : null;
}
