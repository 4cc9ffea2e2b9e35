import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** Starts the plain echo server in a process of its own. */
export async function startEchoServer(): Promise<{ readonly url: string; stop(): void }> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/bench/echo-server.ts"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [address] = (await once(child, "message")) as [AddressInfo];
  return { url: `http://127.0.0.1:${address.port}`, stop: () => child.disconnect() };
}
