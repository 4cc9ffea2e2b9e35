/** The migrated database that every test database is a copy of. */
export const TEMPLATE = "countersign_template";

export const TEST_PASSWORDS = { owner: "test-owner", app: "test-app", system: "test-system" };
