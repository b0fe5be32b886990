import type { Attributes, AttributeValue, ContentAttributes } from "@thoughtflow/schema";
import { CONTENT_ATTRIBUTES } from "@thoughtflow/semconv";

/**
 * A value of OTLP as records hold it: texts, numbers, booleans and lists of them as they are, numbers that JSON has no
 * form for as texts, bytes in base64, everything nested as JSON text. `undefined` for a value that is none.
 */
export function attributeValue(value: unknown): AttributeValue | undefined {
  if (value === undefined || value === null) return undefined;
  const plain = plainValue(value);
  const isNested = Array.isArray(plain)
    ? plain.some((item) => typeof item === "object" && item !== null)
    : typeof plain === "object";
  return isNested ? JSON.stringify(plain) : (plain as AttributeValue);
}

function plainValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map((item) => plainValue(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const plain: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) setOwn(plain, name, plainValue(one));
  return plain;
}

/** Sets a property of a plain object whatever its name is: `__proto__` is one like others. */
export function setOwn<T>(target: Record<string, T>, name: string, value: T): void {
  if (name !== "__proto__") target[name] = value;
  else {
    const property = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(target, name, property);
  }
}

/** The attributes of a span: content, as JSON text, apart from the others. */
export interface SpanAttributes {
  readonly attributes: Attributes;
  readonly content: ContentAttributes | undefined;
}

/** Gathers attributes one by one; the last of a name stands. */
export interface AttributeList extends SpanAttributes {
  add(name: string, value: unknown): void;
}

export function createAttributeList(): AttributeList {
  const attributes: Record<string, AttributeValue> = {};
  let content: Record<string, string> | undefined;
  return {
    attributes,
    get content() {
      return content;
    },
    add(name, value) {
      const told = attributeValue(value);
      if (told === undefined) return;
      if (CONTENT_ATTRIBUTES.has(name)) {
        content ??= {};
        content[name] = typeof told === "string" ? told : JSON.stringify(told);
      } else setOwn(attributes, name, told);
    },
  };
}
