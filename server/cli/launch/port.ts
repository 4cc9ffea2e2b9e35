import { listen } from "@/server/boot/listen";

/** Tells of a taken port before anything else is started. Throws BootError. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = await listen((_incoming, outgoing) => void outgoing.destroy(), host, port);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
