import type { InputItem } from "./input-item.ts";
import { processState } from "./process-state.ts";

/** How a dialect reads an item: what equal items become is equal then, too. */
type Reader = (item: unknown) => unknown;

/** Items by their text, as JSON. When the younger are full, the older go. */
interface Generations {
  younger: Map<string, InputItem>;
  older: Map<string, InputItem>;
  /** Characters of the younger. */
  size: number;
}

const remembered = processState("equal-messages.v1", () => ({
  byReader: new WeakMap<Reader, Generations>(),
}));

/** Characters of a generation: a long history of a program that reads it anew for every turn. */
const MOST_CHARACTERS = 1024 * 1024;
/** A longer text is not compared with others. */
const LONGEST = 16 * 1024;

/**
 * The item that an equal object became, for a program that makes the objects of its history anew for every call. `key` of
 * `keyOf`.
 */
export function equalItem(reader: Reader, key: string): InputItem | undefined {
  const known = remembered.byReader.get(reader);
  if (known === undefined) return undefined;
  const young = known.younger.get(key);
  if (young !== undefined) return young;
  const old = known.older.get(key);
  if (old !== undefined) add(known, key, old);
  return old;
}

/** Remembers what an object became, unless that holds objects of the program, which may change. */
export function rememberItem(reader: Reader, key: string, source: object, item: InputItem): void {
  const own = objectsIn(source);
  if (own.size > 0 && [...objectsIn(item.message)].some((one) => own.has(one))) return;
  let known = remembered.byReader.get(reader);
  if (known === undefined) {
    known = { younger: new Map(), older: new Map(), size: 0 };
    remembered.byReader.set(reader, known);
  }
  add(known, key, item);
}

function add(known: Generations, key: string, item: InputItem): void {
  known.size += key.length;
  if (known.size > MOST_CHARACTERS) {
    known.older = known.younger;
    known.younger = new Map();
    known.size = key.length;
  }
  known.younger.set(key, item);
}

/**
 * A text that is equal for equal plain data, and for nothing else; `undefined` for what is more than data, or long.
 *
 * @param size what `plainSizeOf` says of it
 */
export function keyOf(item: object, size: number): string | undefined {
  try {
    if (size > LONGEST) return undefined;
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

/** All objects inside of plain data. */
function objectsIn(value: object, found = new Set<object>()): ReadonlySet<object> {
  for (const one of Object.values(value)) {
    if (typeof one !== "object" || one === null || found.has(one)) continue;
    found.add(one);
    objectsIn(one, found);
  }
  return found;
}

const MOST_DEPTH = 8;

/** Characters of the texts of plain data, at least; `Infinity` for what is more than data. */
export function plainSizeOf(item: object): number {
  try {
    return sizeOf(item, 0);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** `Infinity` where JSON would not say all of it. */
function sizeOf(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? 1 : Number.POSITIVE_INFINITY;
  if (typeof value !== "object" || depth > MOST_DEPTH) return Number.POSITIVE_INFINITY;
  const prototype: unknown = Object.getPrototypeOf(value);
  let size = 0;
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return Number.POSITIVE_INFINITY;
    for (const one of value) size += sizeOf(one, depth + 1);
    return size;
  }
  if (prototype !== Object.prototype && prototype !== null) return Number.POSITIVE_INFINITY;
  for (const name in value)
    size += name.length + sizeOf((value as Record<string, unknown>)[name], depth + 1);
  return size;
}
