import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/server/domain/errors";

const SHED_MS = 1_000;
const SHED_BYTES = 16 * 1_024 * 1_024;

const tooLarge = (limit: number) =>
  new AppError("too_large", `The body is larger than ${limit} bytes.`, { reason: "body_too_large" });

/** Whether the call announces a body larger than `limit` bytes, or none that can be known beforehand. */
export function announcesMoreThan(incoming: IncomingMessage, limit: number): boolean {
  if (incoming.headers["transfer-encoding"] !== undefined) return true;
  return Number(incoming.headers["content-length"] ?? 0) > limit;
}

/**
 * The body, of at most `limit` bytes; null when there is none. Gives up at the first byte beyond, not at the
 * end. Throws AppError `too_large`.
 */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(incoming.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return size === 0 ? null : Buffer.concat(chunks, size);
}

/**
 * Before an early answer: takes what the caller is still sending, within bounds, so that it reads the answer
 * instead of a reset connection, and closes the connection after it.
 */
export async function shedBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.setHeader("connection", "close");
  if (incoming.complete || incoming.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const timer = setTimeout(resolve, SHED_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > SHED_BYTES) done();
    });
    incoming.once("end", done).once("close", done).once("error", done);
  });
}
