import type { Provider } from "@/server/connectors/connector";
import { type FailureCode, failed, outcomeUnknown } from "@/server/connectors/failures";
import { httpProvider } from "@/server/connectors/http/perform";
import { smtpProvider } from "@/server/connectors/smtp/perform";
import type { ActionDefinition, Trusts } from "@/server/domain/action";
import { findAction } from "@/server/domain/actions/registry";
import { credentialSchema, type StoredCredential, secretsIn } from "@/server/domain/credential";
import type { Outcome } from "@/server/domain/outcome";
import { errorFields, log } from "@/server/log";
import { createRedactor, type Redactor } from "@/server/vault/redactor";
import type { Secret } from "@/server/vault/secret";

const providers = new Map<string, Provider>([httpProvider, smtpProvider].map((provider) => [provider.name, provider]));

/** For the benchmark alone. Throws if the name is taken. */
export function registerProvider(provider: Provider): void {
  if (providers.has(provider.name)) throw new Error(`provider ${provider.name} exists`);
  providers.set(provider.name, provider);
}

/** The provider of that name, or null: what is not in the list does not exist. */
export const findProvider = (name: string): Provider | null => providers.get(name) ?? null;

export const listProviders = (): readonly Provider[] => [...providers.values()];

export type PerformCall = {
  readonly action: string;
  readonly args: unknown;
  readonly connection: { readonly provider: string; readonly config: unknown };
  readonly credential: Secret | null;
  readonly requestId: string;
  /** The grant's allow-list for this action. It is checked here once more, and at every redirect. */
  readonly allow: unknown;
  readonly trusts: Trusts;
  readonly signal: AbortSignal;
  readonly privateHosts: readonly string[];
};

/**
 * Performs a claimed call with a credential the agent never sees, and masks that credential in whatever comes back.
 * Never throws: a bug in a connector says nothing about whether the effect took place.
 */
export async function perform(call: PerformCall): Promise<Outcome> {
  const action = findAction(call.action);
  const provider = findProvider(call.connection.provider);
  if (!action || !provider || action.provider !== provider.name) return failed("action_unknown");
  const parsed = action.parse(call.args);
  if (!parsed.ok) return failed("arguments_invalid", parsed.refusals[0].rule);
  const refusal = action.checkAllowList(call.allow, parsed.args);
  if (refusal) return failed("not_allowed", `${refusal.field}: ${refusal.rule}`);
  const credential = openCredential(call.credential, provider);
  if (typeof credential === "string") return failed(credential);
  const redactor = createRedactor(credential === null ? [] : secretsIn(credential));
  const outcome = await run(call, { action, provider, args: parsed.args, credential, redactor });
  return outcome.kind === "succeeded" ? { kind: "succeeded", result: redactor.json(outcome.result) } : outcome;
}

function openCredential(secret: Secret | null, provider: Provider): StoredCredential | null | FailureCode {
  if (secret === null) return null;
  try {
    const credential = credentialSchema.parse(JSON.parse(secret.expose()));
    return provider.credentialKinds.includes(credential.kind) ? credential : "credential_malformed";
  } catch {
    // What is wrong with it is not said: the parser would quote the secret.
    return "credential_malformed";
  }
}

type Opened = {
  readonly action: ActionDefinition;
  readonly provider: Provider;
  readonly args: Parameters<ActionDefinition["classify"]>[0];
  readonly credential: StoredCredential | null;
  readonly redactor: Redactor;
};

async function run(call: PerformCall, { action, provider, args, credential, redactor }: Opened): Promise<Outcome> {
  const { requestId, allow, trusts, signal, privateHosts, connection } = call;
  try {
    return await provider.perform({
      action: action.name,
      args,
      config: connection.config,
      credential,
      requestId,
      allow,
      trusts,
      signal,
      privateHosts,
      redactor,
    });
  } catch (error) {
    log.error({ requestId, action: action.name, ...errorFields(error) }, "a connector broke");
    const isRead = action.classify(args, trusts).effect === "read";
    return isRead ? failed("connector_broke") : outcomeUnknown("connector_broke");
  }
}
