import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { AppError } from "@/server/domain/errors";
import { errorFields, log } from "@/server/log";
import { createFirstOwnerLink } from "@/server/services/identity/first-owner";

/** Hands the launcher a one-time link while no organization has an owner, with the rights of the serving process. */
async function look(): Promise<void> {
  const link = await createFirstOwnerLink();
  await closePrisma();
  await closePools();
  await new Promise<void>((resolve) => {
    if (link === null) resolve();
    else process.send?.(link.url, () => resolve());
  });
}

look().then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof AppError) process.stderr.write(`countersign: ${error.message}\n`);
    else log.error(errorFields(error), "the first owner's link could not be made");
    process.exit(1);
  },
);
