import { setOwn } from "./attribute-value.ts";
import { MOST_DEPTH } from "./protobuf-attributes.ts";

/** A JSON object; nothing is looked up through its prototype. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field by its name in protobuf's JSON, or by the one of the definition: `spanId`, `span_id`. `null` is none. */
export function fieldOf(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  const original = snakeCase(name);
  return Object.hasOwn(object, original) ? (object[original] ?? undefined) : undefined;
}

const originals = new Map<string, string>();

function snakeCase(name: string): string {
  const known = originals.get(name);
  if (known !== undefined) return known;
  const made = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  originals.set(name, made);
  return made;
}

/** The objects of a list; anything else is passed over, as protobuf would a field that it doesn't know. */
export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  return listAt(object, name).filter(isObject);
}

/** Whatever stands in a list; nothing where there is none. */
export function listAt(object: JsonObject, name: string): readonly unknown[] {
  const value = fieldOf(object, name);
  return Array.isArray(value) ? value : [];
}

export function textAt(object: JsonObject, name: string): string {
  const value = fieldOf(object, name);
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A whole number from 0 on, also one that is a text; 0 for anything else. */
export function countAt(object: JsonObject, name: string): number {
  const value = Number(fieldOf(object, name) ?? 0);
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/**
 * Each key and its value, of a list of `KeyValue`s, or of an object with plain values.
 *
 * @throws TypeError for anything else, which would be lost in silence
 */
export function* attributesAt(object: JsonObject, name: string): Generator<[string, unknown]> {
  const value = fieldOf(object, name);
  if (value === undefined) return;
  if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) yield [key, anyValue(one) ?? one];
    return;
  }
  if (!Array.isArray(value)) throw new TypeError(`${name} ${brief(value)} is no list`);
  for (const item of value) {
    if (isObject(item) && typeof item["key"] === "string")
      yield [item["key"], anyValue(item["value"])];
  }
}

const LONGEST_TOLD = 40;

function brief(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_TOLD ? `${text.slice(0, LONGEST_TOLD)}…` : text;
}

/** An `AnyValue`; a value that is not wrapped in one stands for itself. */
function anyValue(value: unknown, depth = 0): unknown {
  if (depth > MOST_DEPTH) throw new RangeError(`values nested deeper than ${MOST_DEPTH}`);
  if (Array.isArray(value)) return value.map((one) => anyValue(one, depth + 1));
  if (!isObject(value)) return value;
  const text = fieldOf(value, "stringValue");
  if (text !== undefined) return typeof text === "string" ? text : JSON.stringify(text);
  const whole = fieldOf(value, "intValue");
  if (whole !== undefined) return wholeNumber(whole);
  const flag = fieldOf(value, "boolValue");
  if (flag !== undefined) return flag === true || flag === "true";
  const double = fieldOf(value, "doubleValue");
  if (double !== undefined) return Number(double);
  const bytes = fieldOf(value, "bytesValue");
  if (typeof bytes === "string") return Buffer.from(bytes, "base64");
  const list = fieldOf(value, "arrayValue");
  if (list !== undefined) return listOf(list).map((one) => anyValue(one, depth + 1));
  const entries = fieldOf(value, "kvlistValue");
  if (entries !== undefined) return keyValueList(listOf(entries), depth);
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  const values = isObject(value) ? fieldOf(value, "values") : value;
  return Array.isArray(values) ? values : [];
}

function keyValueList(entries: readonly unknown[], depth: number): object {
  const values: Record<string, unknown> = {};
  for (const entry of entries) {
    if (isObject(entry) && typeof entry["key"] === "string")
      setOwn(values, entry["key"], anyValue(entry["value"], depth + 1));
  }
  return values;
}

/** What a double can't hold exactly stays its digits. */
function wholeNumber(value: unknown): number | string | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*[-+]?\d+\s*$/.test(value)) return undefined;
  const exact = BigInt(value.trim().replace("+", ""));
  const double = Number(exact);
  return BigInt(double) === exact ? double : String(exact);
}
