import type { Download } from "@/server/domain/download";
import { errorFields, log } from "@/server/log";

/** Streams a download as fast as the caller takes it. A failure breaks the answer off instead of ending it. */
export function downloadResponse({ contentType, fileName, chunks }: Download, isHead: boolean): Response {
  const headers = {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${fileName.replace(/[^\w.-]/g, "_")}"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(isHead ? null : streamOf(chunks), { headers });
}

function streamOf(chunks: Download["chunks"]): ReadableStream<Uint8Array> {
  const pieces = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      } catch (error) {
        log.error(errorFields(error), "a download broke off");
        controller.error(error);
      }
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
