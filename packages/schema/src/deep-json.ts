import { stringify } from "./native-json.ts";

/**
 * Whether a value nests deeper than so many levels. Indented, such a value grows with the square of its depth,
 * and the engine's own serialiser ends at its call stack: a model that answers `[[[[…` must not cost the file.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  return isObject(value) && nestsDeeper(levels, value);
}

function nestsDeeper(levels: number, value: Members): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isObject(item) && nestsDeeper(levels - 1, item)) return true;
    return false;
  }
  // Every step of every session comes by here: no list is made of its values.
  for (const key in value) {
    const member = value[key];
    if (isObject(member) && Object.hasOwn(value, key) && nestsDeeper(levels - 1, member))
      return true;
  }
  return false;
}

/** What stands in the place of what is deeper: what redaction says, too. */
const TOO_DEEP = "[truncated: depth]";

/** The same value, which was just read and is nobody else's, without what nests deeper than so many levels. */
export function cutBelow<T>(levels: number, value: T): T | string {
  if (!isObject(value)) return value;
  if (levels === 0) return TOO_DEEP;
  const members: Record<string, unknown> = value;
  for (const key in members) {
    const member = members[key];
    if (!isObject(member) || !Object.hasOwn(members, key)) continue;
    const kept = cutBelow(levels - 1, member);
    if (kept !== member) members[key] = kept;
  }
  return value;
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

type Pending = { readonly text: string } | { readonly value: unknown };

const PIECE_LENGTH = 64 * 1024;

/** JSON on one line as `JSON.stringify` writes it, for plain data of any depth. */
export function compactJson(value: unknown): string {
  return [...compactChunks(value)].join("");
}

/** The same in pieces of about 64 Ki characters, for what is too long to be one string; longer only where a single text is. */
export function* compactChunks(value: unknown): Generator<string, void, undefined> {
  let json = "";
  const pending: Pending[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("text" in next) json += next.text;
    else if (typeof next.value !== "object" || next.value === null) {
      json += stringify(next.value) ?? "null";
    } else {
      for (const part of partsOf(next.value)) pending.push(part);
    }
    if (json.length < PIECE_LENGTH) continue;
    yield json;
    json = "";
  }
  yield json;
}

/** What an object or list is written as, the first part last. */
function partsOf(value: object): Pending[] {
  const isList = Array.isArray(value);
  const parts: Pending[] = [{ text: isList ? "[" : "{" }];
  for (const [key, item] of Object.entries(value)) {
    if (!isList && !isWritten(item)) continue;
    if (parts.length > 1) parts.push({ text: "," });
    if (!isList) parts.push({ text: `${stringify(key)}:` });
    parts.push({ value: item });
  }
  parts.push({ text: isList ? "]" : "}" });
  return parts.reverse();
}

/** JSON has no word for the rest, and leaves such members out. */
export function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
