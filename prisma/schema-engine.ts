import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { MigrationAdapterFactory } from "./migration-adapter";
import { datamodel } from "./migration-files";

type Instance = { readonly exports: WebAssembly.Exports & { __wbindgen_start(): void } };
type Bindings = typeof bindings & { __wbg_set_wasm(exports: WebAssembly.Exports): void };

let isLoaded: Promise<void> | undefined;

/** Node 20 cannot import a .wasm file, so the module is instantiated by hand, once a process. */
function load(): Promise<void> {
  isLoaded ??= (async () => {
    const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm");
    const bytes = await readFile(join(dirname(entry), "schema_engine_bg.wasm"));
    const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": { ...bindings } });
    const started = instance as Instance;
    (bindings as Bindings).__wbg_set_wasm(started.exports);
    started.exports.__wbindgen_start();
  })();
  return isLoaded;
}

/** Runs `work` with Prisma's schema engine connected to `url`, and frees it after. */
export async function withSchemaEngine<T>(
  url: string,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  await load();
  const factory = new MigrationAdapterFactory(url);
  const { path, content } = await datamodel();
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [[path, content]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await factory.dispose();
  }
}
