import { MalformedRequestError } from "./malformed-request-error.ts";

/** Reads protobuf from its beginning to its end, one message at a time: its state is this module's. */
let message: Buffer = Buffer.alloc(0);
let view = new DataView(message.buffer);
let at = 0;

/** Begins to read. */
export function startReading(bytes: Uint8Array): void {
  message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  at = 0;
}

/** Where the next byte stands. */
export function position(): number {
  return at;
}

export function moveTo(place: number): void {
  at = place;
}

/** Whether the same stands at both places; the message has so many bytes behind each of them, and these are at least four. */
export function sameBytes(one: number, other: number, length: number): boolean {
  const last = length - 4;
  for (let index = 0; index < last; index += 4)
    if (view.getInt32(one + index, true) !== view.getInt32(other + index, true)) return false;
  return view.getInt32(one + last, true) === view.getInt32(other + last, true);
}

/** What is wrong at the place that was reached. */
export function malformed(what: string): MalformedRequestError {
  return new MalformedRequestError(`no OTLP protobuf: ${what} at byte ${at}`);
}

/** A tag or a length. */
export function readTag(end: number): number {
  const start = at;
  const value = readUint32(end);
  if (at - start > 4) checkBits(start);
  return value;
}

/** Throws where the number that stood there has more than 32 bits: other readers take it for another one. */
function checkBits(start: number): void {
  for (let index = start + 4; index < at; index += 1) {
    const bits = (message[index] ?? 0) & 127;
    if (index === start + 4 ? bits > 15 : bits > 0)
      throw malformed("a number of more than 32 bits");
  }
}

/** 32 bits of a number; more are cut off. */
export function readUint32(end: number): number {
  let value = 0;
  for (let shift = 0; at < end; shift += 7) {
    const byte = message[at++] ?? 0;
    if (shift < 32) value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
    if (shift >= 63) break;
  }
  throw malformed("a number without end");
}

/** Where the message or text ends whose length stands here. */
export function readEnd(end: number): number {
  const length = readTag(end);
  if (length > end - at) throw malformed(`${length} bytes in a field of ${end - at}`);
  return at + length;
}

/**
 * A signed 64-bit integer. What a double can't hold exactly is its digits.
 */
export function readInt64(end: number): number | string {
  let low = 0;
  let high = 0;
  for (let shift = 0; at < end; shift += 7) {
    const byte = message[at++] ?? 0;
    const bits = byte & 127;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high = bits >>> 4;
    } else high |= bits << (shift - 32);
    if (byte < 128) return int64(high | 0, low >>> 0);
    if (shift >= 63) break;
  }
  throw malformed("a number without end");
}

function int64(high: number, low: number): number | string {
  const value = high * 4_294_967_296 + low;
  if (Number.isSafeInteger(value)) return value;
  const exact = (BigInt(high) << 32n) | BigInt(low);
  return BigInt(value) === exact ? value : String(exact);
}

/** 64 bits as decimal digits: nanoseconds. */
export function readFixed64(end: number): string {
  const start = moveBy(8, end);
  return String(view.getBigUint64(start, true));
}

export function readFixed32(end: number): number {
  return view.getUint32(moveBy(4, end), true);
}

export function readDouble(end: number): number {
  return view.getFloat64(moveBy(8, end), true);
}

function moveBy(length: number, end: number): number {
  if (length > end - at) throw malformed(`${end - at} bytes of ${length}`);
  const start = at;
  at += length;
  return start;
}

export function readBytes(end: number): Uint8Array {
  const start = at;
  at = end;
  return Uint8Array.prototype.slice.call(message, start, end);
}

export function readHex(end: number): string {
  const start = at;
  at = end;
  return message.toString("hex", start, end);
}

/** Whether nothing but zeros stand there. */
export function areZero(start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (message[index] !== 0) return false;
  return true;
}

/** Short texts come again and again: by their bytes, each is made once. */
const SHORT_TEXT = 48;
const KNOWN_TEXTS = 4096;
/** Names that begin alike end differently. */
const HASHED_BYTES = 12;

/** What makes text of at most so many bytes of the message. */
function createShortTexts(encoding: "utf8" | "hex"): (start: number, end: number) => string {
  const texts = new Array<string | undefined>(KNOWN_TEXTS);
  /** Of each known text its bytes, at its place, and how many they are. */
  const textBytes = new Uint8Array(KNOWN_TEXTS * SHORT_TEXT);
  const textLengths = new Uint8Array(KNOWN_TEXTS);

  function isAt(start: number, length: number, slot: number): boolean {
    if (textLengths[slot] !== length) return false;
    const from = slot * SHORT_TEXT;
    for (let index = 0; index < length; index += 1) {
      if (textBytes[from + index] !== message[start + index]) return false;
    }
    return true;
  }

  return (start, end) => {
    const length = end - start;
    let hash = length;
    for (let index = Math.max(start, end - HASHED_BYTES); index < end; index += 1) {
      hash = (Math.imul(hash, 31) + (message[index] ?? 0)) | 0;
    }
    const slot = (hash ^ (hash >>> 13)) & (KNOWN_TEXTS - 1);
    const known = texts[slot];
    if (known !== undefined && isAt(start, length, slot)) return known;
    const text = message.toString(encoding, start, end);
    texts[slot] = text;
    textLengths[slot] = length;
    for (let index = 0, to = slot * SHORT_TEXT; index < length; index += 1, to += 1)
      textBytes[to] = message[start + index] ?? 0;
    return text;
  };
}

const shortText = createShortTexts("utf8");
const shortHex = createShortTexts("hex");

/** UTF-8 up to `end`. What is none becomes U+FFFD. */
export function readText(end: number): string {
  const start = at;
  at = end;
  if (end === start) return "";
  return end - start > SHORT_TEXT ? message.toString("utf8", start, end) : shortText(start, end);
}

/** Bytes up to `end` as hex: of a trace's spans each has the same. */
export function readTraceId(end: number): string {
  const start = at;
  at = end;
  return end - start > SHORT_TEXT ? message.toString("hex", start, end) : shortHex(start, end);
}

/** Moves behind a field that nobody wants, by its tag. */
export function skipField(tag: number, end: number): void {
  switch (tag & 7) {
    case 0:
      readUint32(end);
      return;
    case 1:
      moveBy(8, end);
      return;
    case 2:
      at = readEnd(end);
      return;
    case 5:
      moveBy(4, end);
      return;
    default:
      throw malformed(`wire type ${tag & 7}`);
  }
}
