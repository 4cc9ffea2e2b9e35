import { hot } from "@/server/db/hot";
import { newId } from "@/server/db/new-id";
import { AppError } from "@/server/domain/errors";
import { type Facts, type LoadedFacts, loadedFactsSchema, type PolicyFacts } from "@/server/domain/facts";
import { env } from "@/server/env";

/** Which call the facts are about. */
export type FactsQuery = {
  readonly orgId: string;
  readonly agentId: string;
  readonly keyId: string;
  readonly connectionId: string;
  /** The agent's own name for its session. */
  readonly session: string;
  readonly targets: readonly string[];
  readonly idempotencyKey: string | null;
  /** Of the action's price: budgets are read for a priced action only. */
  readonly currency: string | null;
};

/** The facts of one call, but for what the caller adds, and the request that already has its idempotency key. */
export type FoundFacts = {
  readonly facts: Omit<Facts, "secretHits" | "isTakenUp">;
  readonly existing: LoadedFacts["existing"];
};

const MAX_CACHED = 2_000;
/**
 * Policy facts by agent, key and connection. Only a shortcut: the database answers with the policy version in force,
 * and sends the policy again unless it is the cached one; the claim checks the version once more.
 */
const cache = new Map<string, { readonly version: number; readonly policy: PolicyFacts }>();

/** One round trip. An answer that is not what the schema says is a refusal: unknown facts deny. */
export async function loadFacts(query: FactsQuery): Promise<FoundFacts> {
  const cacheKey = `${query.orgId}|${query.agentId}|${query.keyId}|${query.connectionId}`;
  const known = cache.get(cacheKey);
  const loaded = await fetchFacts(query, known?.version ?? -1);
  const policy = loaded.policy ?? known?.policy;
  if (policy === undefined) throw unknownFacts();
  if (loaded.policy !== null) remember(cacheKey, loaded.policyVersion, loaded.policy);
  const { existing, policy: _sent, ...varying } = loaded;
  return { facts: { ...varying, ...policy, mandatoryActions: env().APPROVAL_ACTIONS }, existing };
}

async function fetchFacts(query: FactsQuery, knownVersion: number): Promise<LoadedFacts> {
  const [row] = await hot.loadFacts([
    query.orgId,
    query.agentId,
    query.keyId,
    query.connectionId,
    query.session,
    newId("session"),
    query.targets,
    query.idempotencyKey,
    query.currency,
    knownVersion,
  ]);
  const parsed = loadedFactsSchema.safeParse(row?.facts);
  if (!parsed.success) throw unknownFacts(parsed.error);
  return parsed.data;
}

function remember(key: string, version: number, policy: PolicyFacts): void {
  cache.delete(key);
  cache.set(key, { version, policy });
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
}

function unknownFacts(cause?: unknown): AppError {
  const message = "What the checks need to know could not be read, so nothing ran. Try again.";
  return new AppError("unavailable", message, { reason: "facts_unknown" }, { cause });
}
