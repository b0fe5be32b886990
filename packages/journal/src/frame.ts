import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Excerpt } from "@thoughtflow/otlp";
import { toJson } from "@thoughtflow/schema/plain-json";
import { createFrameBuffer, type FrameBuffer } from "./frame-buffer.ts";

/**
 * A journal is a row of frames: 16 bytes of header, then a body.
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | magic `FF 54 46` ("TF") and the format's version, 1 |
 * | 4 | type |
 * | 5 | encoding of the body |
 * | 6–7 | 0 |
 * | 8–11 | length of the body, little endian |
 * | 12–15 | CRC-32 of bytes 0–11 and the body, little endian |
 *
 * `FF` is in no UTF-8 text, so a reader that lost its way finds the next frame.
 */
const FRAME_HEADER_BYTES = 16;

const MAGIC = Buffer.from([0xff, 0x54, 0x46, 0x01]);
const MAGIC_NUMBER = MAGIC.readUInt32LE();

/** Readers skip types that they don't know. */
export const FRAME_TYPES = {
  writer: 1,
  span_start: 2,
  span_end: 3,
  content: 4,
  session: 5,
  tombstone: 6,
} as const;

/** `otlp` bodies hold spans as they came over the wire, behind a first line that says of which trace and session. */
export const FRAME_ENCODINGS = { json: 1, otlp: 2 } as const;

/** Where a frame lies in its file. */
export interface Frame {
  readonly type: number;
  readonly encoding: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** Bytes that are no frame: torn by a crash, or changed by somebody else. */
export interface Damage {
  readonly start: number;
  readonly end: number;
}

/** What a stretch of bytes holds beside its intact frames. */
export interface FrameScan {
  /** Behind the last intact frame. What follows is torn, or not yet written to its end. */
  readonly end: number;
  /** Between intact frames. */
  readonly damaged: readonly Damage[];
  /** Where the scan of a longer file goes on: all before is read. */
  readonly next: number;
}

/** Adds a frame with a body of these texts: joined before, they would be copied once more. */
export function addFrame(
  frames: FrameBuffer,
  type: keyof typeof FRAME_TYPES,
  ...body: readonly string[]
): void {
  const start = frames.length;
  frames.skip(FRAME_HEADER_BYTES);
  for (const text of body) frames.write(text);
  seal(frames.memory, start, frames.length, type, "json");
}

/** A frame of its own. */
export function encodeFrame(type: keyof typeof FRAME_TYPES, body: string): Buffer {
  const frames = createFrameBuffer();
  addFrame(frames, type, body);
  return frames.take();
}

export const SHA256_LENGTH = 64;

/** Adds one piece of content: its SHA-256 in hex, then the text. Answers the name: of the text's UTF-8, 64 hex digits. */
export function addContentFrame(frames: FrameBuffer, text: string): string {
  const start = frames.length;
  frames.skip(FRAME_HEADER_BYTES + SHA256_LENGTH);
  const textStart = frames.length;
  frames.write(text);
  const { memory, length } = frames;
  const sha256 = hash("sha256", memory.subarray(textStart, length), "hex");
  memory.write(sha256, textStart - SHA256_LENGTH, "latin1");
  seal(memory, start, length, "content", "json");
  return sha256;
}

/** Bytes of ended spans in OTLP protobuf, of one trace and one session. */
export interface EncodedSpans {
  readonly traceId: string;
  readonly sessionId: string;
  readonly count: number;
  /** An `ExportTraceServiceRequest`. */
  readonly request: Excerpt;
}

/**
 * Frames with spans as they came: nothing of them is decoded.
 *
 * @param allocate so many bytes of any content
 */
export function encodeSpansFrames(
  all: readonly EncodedSpans[],
  allocate: (bytes: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const heads = all.map(({ traceId: trace, sessionId: session }) =>
    Buffer.from(`${toJson({ trace, session })}\n`),
  );
  let total = 0;
  for (const [index, { request }] of all.entries())
    total += FRAME_HEADER_BYTES + (heads[index]?.length ?? 0) + request.length;
  const frames = allocate(total);
  let at = 0;
  for (const [index, { request }] of all.entries()) {
    const start = at;
    const head = heads[index] ?? Buffer.alloc(0);
    at += FRAME_HEADER_BYTES;
    at += head.copy(frames, at);
    at = request.copyTo(frames, at);
    seal(frames, start, at, "span_end", "otlp");
  }
  return frames;
}

/** Writes the header of the frame that lies there and has its body already. */
function seal(
  bytes: Buffer,
  start: number,
  end: number,
  type: keyof typeof FRAME_TYPES,
  encoding: keyof typeof FRAME_ENCODINGS,
): void {
  bytes.writeUInt32LE(MAGIC_NUMBER, start);
  bytes[start + 4] = FRAME_TYPES[type];
  bytes[start + 5] = FRAME_ENCODINGS[encoding];
  bytes.writeUInt16LE(0, start + 6);
  bytes.writeUInt32LE(end - start - FRAME_HEADER_BYTES, start + 8);
  bytes.writeUInt32LE(checksum(bytes, start, end), start + 12);
}

/**
 * Visits every intact frame, whatever lies between them. `bytes` may be the beginning of `total` bytes: a frame that goes
 * on behind them is left for the next scan, and what stands in its body is not taken for frames.
 */
export function scanFrames(
  bytes: Buffer,
  visit: (frame: Frame) => void,
  total: number = bytes.length,
): FrameScan {
  const damaged: Damage[] = [];
  let end = 0;
  let at = 0;
  while (at !== -1) {
    const frame = frameAt(bytes, at);
    if (frame === undefined) {
      if (goesOn(bytes, at, total)) return { end, damaged, next: at };
      at = bytes.indexOf(MAGIC, at + 1);
    } else {
      if (at > end) damaged.push({ start: end, end: at });
      visit(frame);
      at = frame.end;
      end = frame.end;
    }
  }
  // The last bytes may be the beginning of the magic.
  const cut = total > bytes.length ? MAGIC.length - 1 : 0;
  return { end, damaged, next: Math.max(end, bytes.length - cut) };
}

/** Whether a frame that begins there may end behind `bytes`. */
function goesOn(bytes: Buffer, at: number, total: number): boolean {
  if (total === bytes.length) return false;
  const bodyStart = at + FRAME_HEADER_BYTES;
  if (bodyStart > bytes.length) return true;
  if (bytes.readUInt32LE(at) !== MAGIC_NUMBER) return false;
  const end = bodyStart + bytes.readUInt32LE(at + 8);
  return end > bytes.length && end <= total;
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  const bodyStart = at + FRAME_HEADER_BYTES;
  if (bodyStart > bytes.length || bytes.readUInt32LE(at) !== MAGIC_NUMBER) return undefined;
  const end = bodyStart + bytes.readUInt32LE(at + 8);
  if (end > bytes.length || bytes.readUInt32LE(at + 12) !== checksum(bytes, at, end)) {
    return undefined;
  }
  return { type: bytes[at + 4] ?? 0, encoding: bytes[at + 5] ?? 0, bodyStart, end };
}

/** Where the frame lies whose body starts there, by what its header says. */
export function frameAround(
  bodyStart: number,
  read: (start: number, end: number) => Buffer,
): { readonly start: number; readonly end: number } {
  const start = bodyStart - FRAME_HEADER_BYTES;
  const header = read(start, bodyStart);
  const length = header.length < FRAME_HEADER_BYTES ? 0 : header.readUInt32LE(8);
  return { start, end: bodyStart + length };
}

function checksum(bytes: Buffer, at: number, end: number): number {
  return crc32(bytes.subarray(at + FRAME_HEADER_BYTES, end), checksumOfHeader(bytes, at));
}

const CHECKED_HEADER_BYTES = 12;
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb88320;
  return crc;
});

/** CRC-32 as zlib has it: to ask zlib for so few bytes takes longer than to read them. */
function checksumOfHeader(bytes: Buffer, at: number): number {
  let crc = 0xffffffff;
  for (let i = at; i < at + CHECKED_HEADER_BYTES; i++)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
