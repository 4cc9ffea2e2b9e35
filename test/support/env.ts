/** A complete, harmless environment for tests. `freshDatabase()` replaces the two database URLs. */
export const TEST_ENV = {
  DEMO: "0",
  LOG_LEVEL: "error",
  PUBLIC_URL: "http://localhost:3000",
  APP_DATABASE_URL: "postgres://countersign_app:unset@127.0.0.1:1/unset",
  SYSTEM_DATABASE_URL: "postgres://countersign_system:unset@127.0.0.1:1/unset",
  CONNECTIONS_KEK: Buffer.alloc(32, 7).toString("base64"),
  SESSION_SECRET: "a-session-secret-for-tests-alone-0123456789",
  INNGEST_ENGINE: "local",
  INNGEST_EVENT_KEY: "test-event-key",
  INNGEST_SIGNING_KEY: "signkey-test-0123456789abcdef0123456789abcdef",
} as const;

for (const [name, value] of Object.entries(TEST_ENV)) process.env[name] = value;
