import type { Pool } from "pg";
import { migrationFiles } from "@/prisma/migration-files";
import { appPool, systemPool } from "@/server/db/pools";
import { env } from "@/server/env";
import { socketState } from "@/server/services/slack/socket-state";
import type { ReadinessCheck } from "./readiness";

const reachable = (name: string, pool: () => Pool): ReadinessCheck => ({
  name,
  missing: async () => {
    await pool().query("SELECT 1");
    return null;
  },
});

const migrations: ReadinessCheck = {
  name: "migrations",
  missing: async () => {
    const { rows } = await appPool().query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
    );
    const applied = new Set(rows.map(({ name }) => name));
    const files = await migrationFiles();
    const pending = files.filter(({ name }) => !applied.has(name)).length;
    return pending === 0 ? null : `migrations: ${pending} pending; run npm run migrate`;
  },
};

const key: ReadinessCheck = {
  name: "CONNECTIONS_KEK",
  missing: async () => (env().CONNECTIONS_KEK ? null : "CONNECTIONS_KEK: not set, so nothing can be stored or read"),
};

/** Approvals go on without Slack: no reason to send people to another replica. */
export const slackSocket: ReadinessCheck = {
  name: "Slack",
  isOptional: true,
  missing: async () => (socketState()?.isConnected === false ? "Slack: the socket is not connected" : null),
};

/** What the server needs to do its work, besides the engine of durable work. */
export const readinessChecks: readonly ReadinessCheck[] = [
  reachable("application database", appPool),
  reachable("system database", systemPool),
  migrations,
  key,
];
