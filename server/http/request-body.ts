import { AppError } from "@/server/domain/errors";
import type { JsonValue } from "@/server/domain/json";
import { MAX_BODY_BYTES, parseStrictJson } from "@/server/domain/strict-json";

const tooLarge = () =>
  new AppError("too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`, { reason: "body_too_large" });

/** The body, of at most 1 MiB, read no further than the first byte beyond. Throws AppError `too_large`. */
export async function bodyBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  // HTTP holds a body to the length that it announced, so it can be taken at once.
  const bytes = announced === null ? await readStream(request.body) : new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > MAX_BODY_BYTES) throw tooLarge();
  return bytes;
}

async function readStream(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The value of a JSON body; undefined where there is none. Throws AppError naming the rule that the body broke. */
export async function jsonBody(request: Request): Promise<{ bytes: Uint8Array<ArrayBuffer>; value?: JsonValue }> {
  const bytes = await bodyBytes(request);
  if (bytes.byteLength === 0) return { bytes };
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("invalid", "Send the body as application/json in UTF-8.", { reason: "not_json" });
  }
  return { bytes, value: parseStrictJson(bytes) };
}
