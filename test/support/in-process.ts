import { spawn } from "node:child_process";
import type { Actor } from "@/server/domain/actor";
import { inheritedEnv } from "@/server/env";
import type { TestDatabase } from "./db";
import { TEST_ENV } from "./env";

export type WorkerCall = {
  readonly kind: "execute" | "submit" | "decide" | "edit";
  readonly actor: Actor;
  readonly input: unknown;
};
export type WorkerResult = { readonly ok?: unknown; readonly error?: string };

/** Runs calls at once in a process of their own. Null where the process was killed. */
export async function inProcess(
  database: TestDatabase,
  calls: readonly WorkerCall[],
  crashAt?: string,
): Promise<WorkerResult[] | null> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/support/gateway-worker.ts"], {
    env: { ...inheritedEnv(), ...TEST_ENV },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const plain = calls.map((call) => ({ ...call, actor: { ...call.actor, permissions: [...call.actor.permissions] } }));
  child.stdin.end(
    JSON.stringify({
      appUrl: database.appUrl,
      systemUrl: database.systemUrl,
      calls: plain,
      ...(crashAt ? { crashAt } : {}),
    }),
  );
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_code, killedBy) => resolve(killedBy)),
  );
  if (signal === "SIGKILL") return null;
  return JSON.parse(out) as WorkerResult[];
}
