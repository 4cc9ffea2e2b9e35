import { durableApp } from "@/test/support/inngest/durable-app";
import { openEffects } from "@/test/support/inngest/effects";

/** A process of its own that works until it is killed: `worker-process <system url> <effects url> <checkpointing> <lease>`. */
const [systemUrl = "", effectsUrl = "", checkpointing, leaseMs] = process.argv.slice(2);
const { engine } = durableApp({
  systemUrl,
  effects: openEffects(effectsUrl),
  stepMs: 25,
  leaseMs: Number(leaseMs),
  maxInFlight: 6,
  isCheckpointing: checkpointing === "true",
});
await engine.sync();
engine.start();
process.stdout.write("ready\n");
