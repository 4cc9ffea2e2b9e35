import type { OrgTx } from "@/server/db/with-org";
import { findAction } from "@/server/domain/actions/registry";
import { type GrantTerms, grantTermsSchema } from "@/server/domain/grant-terms";
import { invalid } from "@/server/services/command";
import { invalidField } from "@/server/services/failures";

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;

type Connection = { readonly provider: string; readonly capabilities: readonly string[] };

/**
 * Checks what a grant would say as a whole: its form, that every action belongs to the connection, that a grant which
 * reads names nothing that only writes, each allow-list by its action's own schema, and when it ends. Throws `invalid`.
 */
export function checkTerms(tx: OrgTx, connection: Connection, wanted: GrantTerms): GrantTerms {
  const parsed = grantTermsSchema.safeParse(wanted);
  if (!parsed.success) throw invalid(parsed.error);
  const terms = parsed.data;
  for (const [index, name] of terms.actions.entries()) checkAction(terms, connection, { name, index });
  if (terms.expiresAt !== null) checkEnd(terms.expiresAt, tx.now);
  return { ...terms, allow: Object.fromEntries(terms.actions.flatMap((name) => allowList(terms, name))) };
}

function checkAction(
  terms: GrantTerms,
  connection: Connection,
  { name, index }: { name: string; index: number },
): void {
  const field = `actions[${index}]`;
  const action = findAction(name);
  if (action === null || action.provider !== connection.provider) {
    throw invalidField(field, "must be an action of the connection's provider");
  }
  if (!connection.capabilities.includes(action.capability)) {
    throw invalidField(field, `needs the capability ${action.capability}, which the connection does not have`);
  }
  if (terms.access === "read" && action.onlyWrites) {
    throw invalidField(field, "never merely reads, so it needs a grant with access write");
  }
}

/** An action without a list may do nothing, and has none. */
function allowList(terms: GrantTerms, name: string): [string, Record<string, unknown>][] {
  const given = terms.allow[name];
  if (given === undefined) return [];
  const parsed = findAction(name)?.allowList.safeParse(given);
  if (!parsed) throw new Error("the action was found before");
  if (parsed.success) return [[name, parsed.data as Record<string, unknown>]];
  const failure = invalid(parsed.error);
  const path = failure.details.field ? `.${failure.details.field}` : "";
  throw invalidField(`allow.${name}${path}`, parsed.error.issues[0]?.message ?? "is not valid");
}

function checkEnd(expiresAt: Date, now: Date): void {
  const days = (expiresAt.getTime() - now.getTime()) / DAY_MS;
  if (days <= 0 || days > MAX_DAYS) throw invalidField("expiresAt", "must be within a year from now");
}

export const daysFrom = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);
