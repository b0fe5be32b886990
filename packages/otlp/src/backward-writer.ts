/**
 * Writes protobuf from its end to its beginning into one kept buffer: so every length is known when it is written,
 * nothing is shifted, and text goes through the native UTF-8 writer once. One message at a time.
 */
let buffer = Buffer.allocUnsafeSlow(1 << 20);
let position = buffer.length;

/** A larger one is not kept. */
const KEPT_BYTES = 8 << 20;
/** More than any number takes with its tag and its length. */
const NUMBER_BYTES = 16;

/** Forgets what was written. */
export function startMessage(): void {
  if (buffer.length > KEPT_BYTES) buffer = Buffer.allocUnsafeSlow(1 << 20);
  position = buffer.length;
}

/** A copy of what was written since the start. */
export function finishMessage(): Uint8Array {
  return Buffer.from(buffer.subarray(position));
}

/** Remembers where a nested message ends; also valid after the buffer has grown. */
export function mark(): number {
  return buffer.length - position;
}

/** Closes the nested message that ends at the mark with its length and its tag. */
export function nested(end: number, tag: number): void {
  makeRoom(NUMBER_BYTES);
  putVarint(buffer.length - position - end);
  buffer[--position] = tag;
}

function makeRoom(bytes: number): void {
  if (position >= bytes) return;
  const used = buffer.length - position;
  const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + bytes));
  buffer.copy(larger, larger.length - used, position);
  position = larger.length - used;
  buffer = larger;
}

/** A field that is a varint; `value` is a whole number from 0 to 2^63. */
export function varint(tag: number, value: number): void {
  makeRoom(NUMBER_BYTES);
  putVarint(value);
  buffer[--position] = tag;
}

function putVarint(value: number): void {
  if (value < 128) {
    buffer[--position] = value;
  } else if (value < 16_384) {
    buffer[--position] = value >>> 7;
    buffer[--position] = (value & 127) | 128;
  } else if (value < 2_097_152) {
    buffer[--position] = value >>> 14;
    buffer[--position] = ((value >>> 7) & 127) | 128;
    buffer[--position] = (value & 127) | 128;
  } else {
    putVarint(Math.floor(value / 128));
    buffer[--position] = (value % 128) | 128;
  }
}

/** A field that is a varint of a negative whole number: ten bytes, two's complement. */
export function negativeVarint(tag: number, value: number): void {
  makeRoom(NUMBER_BYTES);
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  buffer[--position] = Number(rest);
  for (const byte of bytes.reverse()) buffer[--position] = byte;
  buffer[--position] = tag;
}

/** A 32-bit field whose number, above 15, takes two bytes: `secondTag` is 0 otherwise. */
export function fixed32(value: number, tag: number, secondTag: number): void {
  makeRoom(NUMBER_BYTES);
  putFixed32(value);
  if (secondTag !== 0) buffer[--position] = secondTag;
  buffer[--position] = tag;
}

function putFixed32(value: number): void {
  buffer[--position] = value >>> 24;
  buffer[--position] = value >>> 16;
  buffer[--position] = value >>> 8;
  buffer[--position] = value;
}

/** A 64-bit field, in two halves. */
export function fixed64(tag: number, high: number, low: number): void {
  makeRoom(NUMBER_BYTES);
  putFixed32(high);
  putFixed32(low);
  buffer[--position] = tag;
}

const double = new Float64Array(1);
const halvesOfDouble = new Uint32Array(double.buffer);
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** A field that is a double. */
export function float64(tag: number, value: number): void {
  double[0] = value;
  fixed64(tag, halvesOfDouble[HIGH] ?? 0, halvesOfDouble[1 - HIGH] ?? 0);
}

/** A field of bytes. */
export function bytes(tag: number, value: Uint8Array): void {
  makeRoom(value.length + NUMBER_BYTES);
  position -= value.length;
  buffer.set(value, position);
  putVarint(value.length);
  buffer[--position] = tag;
}

/** A field of bytes, given as hex digits. What is no digit counts as 0. */
export function hex(tag: number, digits: string): void {
  const length = digits.length >>> 1;
  makeRoom(length + NUMBER_BYTES);
  for (let index = length - 1; index >= 0; index -= 1) {
    const high = HEX[digits.charCodeAt(2 * index)] ?? 0;
    buffer[--position] = (high << 4) | (HEX[digits.charCodeAt(2 * index + 1)] ?? 0);
  }
  putVarint(length);
  buffer[--position] = tag;
}

const HEX = new Uint8Array(128);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Up to here a loop over ASCII is faster than a call of the native writer. */
const SHORT_TEXT = 48;

/** A field of text. Lone surrogates become U+FFFD, as UTF-8 has none. */
export function text(tag: number, value: string): void {
  const length = putShortAscii(value) ? value.length : putText(value);
  makeRoom(NUMBER_BYTES);
  putVarint(length);
  buffer[--position] = tag;
}

/** False, and nothing written, when the text is long or holds anything but ASCII. */
function putShortAscii(value: string): boolean {
  const { length } = value;
  if (length > SHORT_TEXT) return false;
  makeRoom(length + NUMBER_BYTES);
  let at = position;
  for (let index = length - 1; index >= 0; index -= 1) {
    const unit = value.charCodeAt(index);
    if (unit > 127) return false;
    buffer[--at] = unit;
  }
  position = at;
  return true;
}

function putText(value: string): number {
  const length = Buffer.byteLength(value, "utf8");
  makeRoom(length + NUMBER_BYTES);
  position -= length;
  buffer.write(value, position, length, length === value.length ? "latin1" : "utf8");
  return length;
}

/** Names come again and again: their bytes, with their length. Bounded, and never of values. */
const names = new Map<string, Uint8Array>();
const MOST_NAMES = 4096;
const LONGEST_NAME = 120;

/** A field of text that comes again and again, such as an attribute's key. */
export function name(tag: number, value: string): void {
  const known = names.get(value) ?? remembered(value);
  if (known === undefined) {
    text(tag, value);
    return;
  }
  const { length } = known;
  makeRoom(length + NUMBER_BYTES);
  position -= length;
  for (let index = 0, at = position; index < length; index += 1, at += 1) {
    buffer[at] = known[index] ?? 0;
  }
  buffer[--position] = tag;
}

function remembered(value: string): Uint8Array | undefined {
  if (value.length > LONGEST_NAME || names.size >= MOST_NAMES) return undefined;
  const written = Buffer.from(value);
  if (written.length > LONGEST_NAME) return undefined;
  // Not of the pool that small buffers share: each would keep 64 KiB.
  const field = Uint8Array.of(written.length, ...written);
  names.set(value, field);
  return field;
}
