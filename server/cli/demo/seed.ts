import { type DemoServices, seedDemo } from "@/prisma/seed";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { errorFields, log } from "@/server/log";

/** Fills the demo with the rights of the serving process, and hands its file to the launcher. */
async function fill(services: DemoServices & { readonly url: string }): Promise<void> {
  const file = await seedDemo(services);
  await closePrisma();
  await closePools();
  await new Promise<void>((resolve, reject) => {
    process.send?.(file, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

process.once("message", (message) => {
  fill(message as DemoServices & { readonly url: string }).then(
    () => process.exit(0),
    (error: unknown) => {
      log.error(errorFields(error), "the demo could not be filled");
      process.exit(1);
    },
  );
});
