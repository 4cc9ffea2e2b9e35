import { z } from "zod";
import type { Provider } from "@/server/connectors/connector";
import { httpConfigSchema } from "@/server/connectors/http/config";
import { findProvider } from "@/server/connectors/perform";
import { smtpConfigSchema } from "@/server/connectors/smtp/config";
import { oneLineText } from "@/server/domain/text";
import { invalid } from "@/server/services/command";
import { invalidField } from "@/server/services/failures";

export const connectionNameSchema = oneLineText(120);
export const accountSchema = oneLineText(320);
export const settingsSchema = z.record(z.string().max(100), z.json());
export const capabilitiesSchema = z.array(z.string().min(1).max(60)).max(50);

/** Throws `invalid` for a provider that does not exist. */
export function requireProvider(name: string): Provider {
  const provider = findProvider(name);
  if (provider === null) throw invalidField("provider", "must be a provider such as smtp or http");
  return provider;
}

/** The settings as the provider understands them, defaults filled in. Throws `invalid` naming the field. */
export function checkSettings(provider: Provider, config: unknown): Record<string, unknown> {
  const parsed = provider.config.safeParse(config);
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const { field = "" } = invalid(parsed.error).details;
  throw invalidField(field === "" ? "config" : `config.${field}`, parsed.error.issues[0]?.message ?? "is not valid");
}

/** Throws `invalid` for a capability that the provider does not have. */
export function checkCapabilities(provider: Provider, capabilities: readonly string[]): void {
  const index = capabilities.findIndex((name) => !provider.capabilities.includes(name));
  if (index >= 0) throw invalidField(`capabilities[${index}]`, "must be a capability of the provider");
}

/** Where a connection sends its credential. Of a provider that is not here, every setting counts. */
const TARGETS: Readonly<Record<string, (config: unknown) => readonly string[]>> = {
  smtp: (config) => {
    const { host, port, tls } = smtpConfigSchema.parse(config);
    return [`${host.toLowerCase()}:${port} ${tls}`];
  },
  http: (config) => httpConfigSchema.parse(config).origins.map((origin) => origin.toLowerCase()),
};

/** Whether other settings would send the credential to a place that does not get it now. */
export function leadsElsewhere(provider: string, before: unknown, after: unknown): boolean {
  const targetsOf = TARGETS[provider] ?? ((config: unknown) => [JSON.stringify(config)]);
  const known = new Set(targetsOf(before));
  return targetsOf(after).some((target) => !known.has(target));
}
