// node bundle.mjs <entry> <outfile>: our own sources from the entry on, as one file of plain JavaScript, so that no loader
// stands between it and Node.
import { build } from "esbuild";

const [entry, outfile] = process.argv.slice(2);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.20",
  packages: "external",
  sourcemap: true,
  logLevel: "warning",
});
