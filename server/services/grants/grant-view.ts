import { z } from "zod";
import { type Risk, riskSchema } from "@/server/domain/action";
import { GRANT_ACCESS } from "@/server/domain/grant-terms";

export const grantColumns = {
  id: true,
  agentId: true,
  agent: { select: { name: true } },
  connectionId: true,
  connection: { select: { name: true, provider: true } },
  access: true,
  actions: true,
  maxRisk: true,
  allow: true,
  perMinute: true,
  perHour: true,
  perDay: true,
  expiresAt: true,
  revokedAt: true,
  version: true,
  createdBy: true,
  createdAt: true,
} as const;

export type GrantView = {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly provider: string;
  readonly access: (typeof GRANT_ACCESS)[number];
  readonly actions: readonly string[];
  readonly maxRisk: Risk;
  /** Argument allow-lists by action. */
  readonly allow: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Uses in a UTC minute, hour and day. */
  readonly perMinute: number | null;
  readonly perHour: number | null;
  readonly perDay: number | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly version: number;
  readonly createdBy: string;
  readonly createdAt: Date;
};

type Row = Omit<GrantView, "agentName" | "connectionName" | "provider" | "access" | "maxRisk" | "allow"> & {
  readonly access: string;
  readonly maxRisk: string;
  readonly allow: unknown;
  readonly agent: { readonly name: string };
  readonly connection: { readonly name: string; readonly provider: string };
};

export function grantView({ agent, connection, ...row }: Row): GrantView {
  return {
    ...row,
    agentName: agent.name,
    connectionName: connection.name,
    provider: connection.provider,
    // Check constraints hold the columns to these words; the lists were checked when they were stored.
    access: row.access as GrantView["access"],
    maxRisk: row.maxRisk as Risk,
    allow: row.allow as GrantView["allow"],
  };
}

/** A grant as OpenAPI describes it. */
export const grantSchema = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  provider: z.string(),
  access: z.enum(GRANT_ACCESS),
  actions: z.array(z.string()),
  maxRisk: riskSchema,
  allow: z.record(z.string(), z.record(z.string(), z.unknown())),
  perMinute: z.int().nullable(),
  perHour: z.int().nullable(),
  perDay: z.int().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  version: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});
