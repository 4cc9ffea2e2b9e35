import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/server/db/generated/client";
import { env } from "@/server/env";

const shared = globalThis as { countersignPrisma?: PrismaClient };

/** Unscoped: only files in server/db may import this. Everyone else uses `withOrg`. */
export function prisma(): PrismaClient {
  shared.countersignPrisma ??= new PrismaClient({
    adapter: new PrismaPg({ connectionString: env().APP_DATABASE_URL, max: 8, application_name: "countersign" }),
  });
  return shared.countersignPrisma;
}

/** Closes what this process opened. */
export async function closePrisma(): Promise<void> {
  const client = shared.countersignPrisma;
  delete shared.countersignPrisma;
  await client?.$disconnect();
}
