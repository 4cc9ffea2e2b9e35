import { z } from "zod";
import { hot } from "@/server/db/hot";
import { closePools } from "@/server/db/pools";
import { AppError } from "@/server/domain/errors";
import { overrideEnv } from "@/server/env";
import { decideApproval } from "@/server/services/approvals/decide";
import { editAndApprove } from "@/server/services/approvals/edit";
import { executeRequest } from "@/server/services/requests/execute";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { registerTestTools } from "./test-tools";

/** A second process for tests: does one piece of work many times at once, or dies by SIGKILL at a named step. */
const job = z.object({
  appUrl: z.string(),
  systemUrl: z.string(),
  crashAt: z.string().optional(),
  calls: z.array(z.object({ kind: z.enum(["execute", "submit", "decide", "edit"]), actor: z.any(), input: z.any() })),
});

const die = () => process.kill(process.pid, "SIGKILL");
type Step = keyof typeof hot;

/** Wraps a step of the hot path so that the process dies right before or right after it. */
function crashAt(point: string): void {
  const [when, step] = point.split(":") as ["before" | "after", Step];
  const steps = hot as unknown as Record<Step, (...args: unknown[]) => Promise<unknown>>;
  const original = steps[step];
  steps[step] = async (...args) => {
    if (when === "before") die();
    const result = await original(...args);
    die();
    return result;
  };
}

function run(call: z.infer<typeof job>["calls"][number]): Promise<unknown> {
  const actor = { ...call.actor, permissions: new Set<string>(call.actor.permissions) };
  switch (call.kind) {
    case "execute":
      return executeRequest(systemActor(actor.orgId, "test"), call.input);
    case "submit":
      return submitToolRequest(actor, call.input);
    case "decide":
      return decideApproval(actor, call.input);
    case "edit":
      return editAndApprove(actor, call.input);
  }
}

async function main(): Promise<void> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  const { calls, crashAt: point, appUrl, systemUrl } = job.parse(JSON.parse(text));
  overrideEnv({ APP_DATABASE_URL: appUrl, SYSTEM_DATABASE_URL: systemUrl });
  registerTestTools();
  if (point) crashAt(point);
  const results = await Promise.all(
    calls.map((call) =>
      run(call).then(
        (value) => ({ ok: value }),
        (error: unknown) => ({ error: error instanceof AppError ? error.reason : String(error) }),
      ),
    ),
  );
  process.stdout.write(JSON.stringify(results));
  await closePools();
}

await main();
