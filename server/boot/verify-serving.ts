import { env } from "@/server/env";
import { BootError, checkRole } from "./check-role";

const shared = globalThis as { countersignVerified?: Promise<void> };

async function verify(): Promise<void> {
  const settings = env();
  if (settings.DATABASE_URL) {
    throw new BootError(
      "DATABASE_URL is the owner's connection and must not be in the environment of the serving process.",
    );
  }
  await checkRole("APP_DATABASE_URL", settings.APP_DATABASE_URL, "countersign_app");
  await checkRole("SYSTEM_DATABASE_URL", settings.SYSTEM_DATABASE_URL, "countersign_system");
}

/** Refuses to serve with a login that could see past a tenant, once a process. Throws BootError, EnvError. */
export function verifyServing(): Promise<void> {
  shared.countersignVerified ??= verify();
  return shared.countersignVerified;
}
