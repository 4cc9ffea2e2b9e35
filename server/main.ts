import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import next from "next";
import { functions } from "@/inngest/functions";
import { serveHandler } from "@/inngest/serve";
import { startBackground } from "@/server/boot/background";
import { BootError } from "@/server/boot/check-role";
import { drain, listen } from "@/server/boot/listen";
import { healthHandler, type ReadinessCheck, readyHandler } from "@/server/boot/readiness";
import { readinessChecks } from "@/server/boot/readiness-checks";
import { verifyServing } from "@/server/boot/verify-serving";
import { closePrisma } from "@/server/db/client";
import { stopListening } from "@/server/db/listen";
import { closePools } from "@/server/db/pools";
import { type Env, EnvError, env } from "@/server/env";
import { trustedProxies } from "@/server/http/client-address";
import { frontListener, type Mount } from "@/server/http/front";
import { handleLive } from "@/server/http/live";
import { failureResponse } from "@/server/http/problem";
import { handleSlackCallback } from "@/server/http/slack-callback";
import { handleTrpc } from "@/server/http/trpc";
import { handleV1 } from "@/server/http/v1";
import { errorFields, log } from "@/server/log";
import { handleSlack } from "@/slack/app";
import { SLACK_BODY_LIMIT } from "@/slack/receiver";

const INNGEST_BODY_LIMIT = 4 * 1_048_576;

function mounts(settings: Env, checks: readonly ReadinessCheck[]): readonly Mount[] {
  const calls: Mount[] = [
    { prefix: "/api/v1", handler: handleV1 },
    { prefix: "/api/trpc", handler: handleTrpc },
    { prefix: "/api/live", handler: handleLive },
    { prefix: "/api/slack/oauth/callback", handler: handleSlackCallback },
    { prefix: "/api/slack", handler: (request) => handleSlack(request), bodyLimit: SLACK_BODY_LIMIT },
    { prefix: "/healthz", handler: healthHandler },
    { prefix: "/readyz", handler: readyHandler([...readinessChecks, ...checks]) },
  ];
  // The local engine calls the functions in this process: only Inngest itself needs the door.
  if (settings.INNGEST_ENGINE === "local") return calls;
  return [...calls, { prefix: "/api/inngest", handler: serveHandler(functions), bodyLimit: INNGEST_BODY_LIMIT }];
}

async function openPages(settings: Env) {
  const pages = next({ dev: false, dir: process.cwd(), hostname: settings.HOST, port: settings.PORT });
  await pages.prepare();
  return pages;
}

/** Resolves when we are told to go: by a signal, or because the process that started us is gone. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
    if (process.send) process.once("disconnect", () => resolve());
  });
}

async function main(): Promise<void> {
  const settings = env();
  const told = untilTold();
  await verifyServing();
  const pages = await openPages(settings);
  const background = await startBackground();
  const closing = new AbortController();
  // Every call in flight listens.
  setMaxListeners(0, closing.signal);
  const listener = frontListener({
    publicUrl: settings.PUBLIC_URL,
    isLoopbackOnly: settings.DEMO,
    trusted: trustedProxies(settings.TRUSTED_PROXIES),
    mounts: mounts(settings, background.checks),
    pages: pages.getRequestHandler(),
    closing: closing.signal,
    onFailure: (error) => failureResponse(error, { requestId: randomUUID() }),
  });
  const server = await listen(listener, settings.HOST, settings.PORT);
  log.info({ host: settings.HOST, port: settings.PORT }, "listening");
  process.send?.("ready");
  await told;
  log.info({}, "stopping");
  closing.abort();
  await drain(server);
  await background.stop();
  await pages.close();
  await stopListening();
  await closePrisma();
  await closePools();
}

function fail(error: unknown): never {
  if (error instanceof BootError || error instanceof EnvError) process.stderr.write(`countersign: ${error.message}\n`);
  else log.error(errorFields(error), "the server failed");
  process.exit(1);
}

process.on("unhandledRejection", fail);
process.on("uncaughtException", fail);
main().then(() => process.exit(0), fail);
