/** As the engine has it where one of a text is outside of Latin-1. */
export const BYTES_OF_CHARACTER = 2;

const BYTES_OF_NUMBER = 8;
const BYTES_OF_OBJECT = 32;
/** Deeper than data of providers goes; what is below counts for nothing. */
const MOST_DEPTH = 12;

/** What a value takes in memory, about: its texts, numbers and bytes, with all that hangs on it. */
export function bytesOf(value: unknown): number {
  try {
    return bytesAt(value, 0);
  } catch {
    return BYTES_OF_OBJECT;
  }
}

function bytesAt(value: unknown, depth: number): number {
  if (typeof value === "string") return BYTES_OF_CHARACTER * value.length;
  if (typeof value === "number") return BYTES_OF_NUMBER;
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return 0;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Blob) return value.size;
  if (Array.isArray(value)) {
    // The numbers of an embedding are not looked at one by one.
    if (typeof value[0] === "number") return BYTES_OF_NUMBER * value.length;
    let sum = 0;
    for (const one of value) sum += bytesAt(one, depth + 1);
    return sum;
  }
  let sum = BYTES_OF_OBJECT;
  for (const name in value) sum += bytesAt((value as Record<string, unknown>)[name], depth + 1);
  return sum;
}
