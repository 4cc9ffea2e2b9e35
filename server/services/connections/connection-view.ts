import { z } from "zod";
import type { OrgTx } from "@/server/db/with-org";
import { notFound } from "@/server/services/failures";

export const CONNECTION_STATUSES = ["active", "suspended", "needs_reauth"] as const;

export const connectionColumns = {
  id: true,
  provider: true,
  name: true,
  account: true,
  status: true,
  config: true,
  configVersion: true,
  capabilities: true,
  sensitive: true,
  createdBy: true,
  createdAt: true,
  // Never the sealed column: no reader of connections gets near it.
  credentials: {
    where: { status: "active" },
    select: { id: true, version: true, kind: true, hint: true, createdAt: true },
  },
} as const;

export type CredentialView = {
  readonly id: string;
  readonly version: number;
  readonly kind: string;
  /** The last four characters of a long secret; empty for a short one. */
  readonly hint: string;
  readonly createdAt: Date;
};

export type ConnectionView = {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly account: string;
  readonly status: (typeof CONNECTION_STATUSES)[number];
  readonly config: Readonly<Record<string, unknown>>;
  /** What a change must name; it grows when account or settings change, and voids what was approved before. */
  readonly configVersion: number;
  readonly capabilities: readonly string[];
  /** What is read over it makes a session sensitive. */
  readonly sensitive: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** The credential in use. */
  readonly credential: CredentialView | null;
};

type Row = Omit<ConnectionView, "status" | "config" | "credential"> & {
  readonly status: string;
  readonly config: unknown;
  readonly credentials: readonly CredentialView[];
};

export function connectionView({ credentials, status, config, ...row }: Row): ConnectionView {
  return {
    ...row,
    // A check constraint holds the column to these words; settings were checked when they were stored.
    status: status as ConnectionView["status"],
    config: config as ConnectionView["config"],
    credential: credentials[0] ?? null,
  };
}

/** One connection of the transaction's organization. Throws `not_found`. */
export async function readConnection(tx: OrgTx, id: string): Promise<ConnectionView> {
  const row = await tx.connection.findUnique({ where: { id }, select: connectionColumns });
  if (!row) throw notFound("connection");
  return connectionView(row);
}

/** A connection as OpenAPI describes it. */
export const connectionSchema = z.strictObject({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  account: z.string(),
  status: z.enum(CONNECTION_STATUSES),
  config: z.record(z.string(), z.unknown()),
  configVersion: z.int(),
  capabilities: z.array(z.string()),
  sensitive: z.boolean(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  credential: z
    .strictObject({
      id: z.string(),
      version: z.int(),
      kind: z.string(),
      hint: z.string().describe("The last four characters of a long secret; empty for a short one."),
      createdAt: z.iso.datetime(),
    })
    .nullable(),
});
