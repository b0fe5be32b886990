/** One field of a message: its number, and where its value lies. */
export interface ProtobufField {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 bytes with their length, 5 four bytes. */
  readonly wireType: number;
  /** Of the whole field, its tag included. */
  readonly start: number;
  /** Of the value, behind tag and length. */
  readonly valueStart: number;
  readonly end: number;
}

/**
 * The fields of a message, from `from` to `to`, in their order.
 *
 * @throws RangeError for bytes that are no protobuf
 */
export function* protobufFields(
  message: Uint8Array,
  from = 0,
  to: number = message.length,
): Generator<ProtobufField> {
  let at = from;
  while (at < to) {
    const start = at;
    const [tag, afterTag] = readVarint(message, at, to);
    const wireType = tag & 7;
    const [valueStart, end] = valueRange(message, wireType, afterTag, to);
    if (end > to) throw new RangeError(`no protobuf: a field at byte ${start} is cut off`);
    yield { number: Math.floor(tag / 8), wireType, start, valueStart, end };
    at = end;
  }
}

function valueRange(
  message: Uint8Array,
  wireType: number,
  at: number,
  to: number,
): readonly [valueStart: number, end: number] {
  switch (wireType) {
    case 0:
      return [at, readVarint(message, at, to)[1]];
    case 1:
      return [at, at + 8];
    case 2: {
      const [length, valueStart] = readVarint(message, at, to);
      return [valueStart, valueStart + length];
    }
    case 5:
      return [at, at + 4];
    default:
      throw new RangeError(`no protobuf: wire type ${wireType} at byte ${at}`);
  }
}

/** A varint and the place behind it. Above 2^53 only its size is exact. */
export function readVarint(
  message: Uint8Array,
  from: number,
  to: number,
): readonly [value: number, end: number] {
  let value = 0;
  for (let at = from, scale = 1; at < to && at < from + 10; at += 1, scale *= 128) {
    const byte = message[at] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at + 1];
  }
  throw new RangeError(`no protobuf: a varint at byte ${from} has no end`);
}
