import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The server's side of a web socket, as far as short texts go: RFC 6455 without extensions or fragments. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const MAX_BYTES = 1_048_576;

type Frame = { readonly opcode: number; readonly payload: Buffer; readonly rest: Buffer };

function lengthOf(bytes: Buffer): { readonly length: number; readonly at: number } | null {
  const short = (bytes[1] ?? 0) & 0x7f;
  if (short < 126) return { length: short, at: 2 };
  if (short === 126) return bytes.length < 4 ? null : { length: bytes.readUInt16BE(2), at: 4 };
  return bytes.length < 10 ? null : { length: Number(bytes.readBigUInt64BE(2)), at: 10 };
}

/** The first whole frame; null where more has to come. Throws on what no client of ours sends. */
function readFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 2) return null;
  const isWhole = ((bytes[0] ?? 0) & 0xf0) === 0x80;
  const isMasked = ((bytes[1] ?? 0) & 0x80) !== 0;
  if (!isWhole || !isMasked) throw new Error("not a frame of a client's");
  const size = lengthOf(bytes);
  if (size === null) return null;
  if (size.length > MAX_BYTES) throw new Error("too long");
  const from = size.at + 4;
  if (bytes.length < from + size.length) return null;
  const mask = bytes.subarray(size.at, from);
  const payload = Buffer.from(bytes.subarray(from, from + size.length));
  for (let index = 0; index < payload.length; index += 1)
    payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload, rest: bytes.subarray(from + size.length) };
}

function writeFrame(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (head.length === 2) head[1] = payload.length;
  else if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(payload.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, payload]);
}

export type ServerSocket = { readonly send: (text: string) => void; readonly drop: () => void };
export type SocketListener = { readonly onText: (text: string) => void; readonly onEnd: () => void };

/** Answers the handshake and speaks with the client until either ends it. */
export function acceptSocket(request: IncomingMessage, socket: Duplex, listener: SocketListener): ServerSocket {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  const take = ({ opcode, payload }: Frame) => {
    if (opcode === TEXT) listener.onText(payload.toString("utf8"));
    if (opcode === PING) socket.write(writeFrame(PONG, payload));
    if (opcode === CLOSE) socket.end(writeFrame(CLOSE, payload));
  };
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    try {
      pending = Buffer.concat([pending, chunk]);
      for (let frame = readFrame(pending); frame !== null; frame = readFrame(pending)) {
        pending = frame.rest;
        take(frame);
      }
    } catch {
      socket.destroy();
    }
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", listener.onEnd);
  return {
    send: (text) => void socket.write(writeFrame(TEXT, Buffer.from(text, "utf8"))),
    drop: () => void socket.destroy(),
  };
}
