import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Redactor } from "@/server/vault/redactor";

/** Bytes of an answer, after decompression. */
export const MAX_RESPONSE_BYTES = 1_048_576;
/** Bytes on the wire: a compressed stream may also grow without giving anything. */
const MAX_WIRE_BYTES = 2 * MAX_RESPONSE_BYTES;

const TEXT_TYPE = /^(text\/[a-z0-9.+-]+|application\/(json|xml|x-www-form-urlencoded|[a-z0-9.-]+\+(json|xml)))$/;

export type BodyRead = {
  /** Masked. Null where the type is not text: then there is size and hash. */
  readonly text: string | null;
  readonly isTruncated: boolean;
  readonly bytes: number;
  readonly sha256: string | null;
};

type Encoded = { readonly body: Readable; readonly encoding: string; readonly contentType: string };

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The media type in lower case, without parameters. */
const mediaTypeOf = (contentType: string): string => (contentType.split(";")[0] ?? "").trim().toLowerCase();

const charsetOf = (contentType: string): string => /charset="?([a-z0-9._-]{1,40})"?/i.exec(contentType)?.[1] ?? "utf-8";

function decoderFor(contentType: string): TextDecoder {
  try {
    return new TextDecoder(charsetOf(contentType));
  } catch {
    return new TextDecoder();
  }
}

/** Undoes one content coding. An unknown one stays as it is, and the body then counts as not text. */
function decompressed({ body, encoding }: Encoded): Readable {
  const decoder = DECODERS[encoding]?.();
  if (!decoder) return body;
  let wireBytes = 0;
  body.on("data", (chunk: Buffer) => {
    wireBytes += chunk.length;
    if (wireBytes > MAX_WIRE_BYTES) decoder.destroy(new Error("compressed body too long"));
  });
  body.on("error", (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

const isReadable = ({ encoding, contentType }: Encoded): boolean =>
  (encoding === "" || encoding === "identity" || Object.hasOwn(DECODERS, encoding)) &&
  TEXT_TYPE.test(mediaTypeOf(contentType));

/**
 * Reads an answer up to `MAX_RESPONSE_BYTES` and masks it as it comes: what is cut off at the limit cannot end in the
 * first half of a secret. Throws when the connection breaks or the coding is malformed.
 */
export async function readBody(encoded: Encoded, redactor: Redactor): Promise<BodyRead> {
  const isText = isReadable(encoded);
  const source = isText ? decompressed(encoded) : encoded.body;
  const text = decoderFor(encoded.contentType);
  const masked = redactor.stream();
  const hash = createHash("sha256");
  const shown: string[] = [];
  let bytes = 0;
  let isTruncated = false;
  for await (const part of source as AsyncIterable<Buffer>) {
    const chunk = part.subarray(0, MAX_RESPONSE_BYTES - bytes);
    bytes += chunk.length;
    isTruncated = chunk.length < part.length;
    if (isText) shown.push(masked.push(text.decode(chunk, { stream: true })));
    else hash.update(chunk);
    if (isTruncated) break;
  }
  if (!isText) return { text: null, isTruncated, bytes, sha256: isTruncated ? null : hash.digest("hex") };
  if (!isTruncated) shown.push(masked.push(text.decode()), masked.end());
  return { text: shown.join(""), isTruncated, bytes, sha256: null };
}
