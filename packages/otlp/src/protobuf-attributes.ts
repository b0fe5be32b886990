import type { Attributes, AttributeValue } from "@thoughtflow/schema";
import { attributeValue, setOwn } from "./attribute-value.ts";
import {
  malformed,
  moveTo,
  position,
  readBytes,
  readDouble,
  readEnd,
  readInt64,
  readTag,
  readText,
  readUint32,
  skipField,
} from "./forward-reader.ts";

/** Values may nest so deep. */
export const MOST_DEPTH = 64;

/** Takes a value that ends there for a key without reading it, and moves behind it; or leaves it, and says false. */
export type LeaveUnread = (key: string, end: number) => boolean;

/** A `KeyValue` up to `end`; `take` hears of it. */
export function readKeyValue(
  end: number,
  take: (key: string, value: unknown) => void,
  depth = 0,
  leaveUnread?: LeaveUnread,
): void {
  let key = "";
  let value: unknown;
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) key = readText(readEnd(end));
    else if (tag === 18) {
      const valueEnd = readEnd(end);
      if (leaveUnread?.(key, valueEnd) === true) {
        moveTo(end);
        return;
      }
      value = readAnyValue(valueEnd, depth);
    } else skipField(tag, end);
  }
  take(key, value);
}

function readAnyValue(end: number, depth: number): unknown {
  if (depth > MOST_DEPTH) throw malformed(`values nested deeper than ${MOST_DEPTH}`);
  let value: unknown;
  while (position() < end) {
    const tag = readTag(end);
    switch (tag) {
      case 10:
        value = readText(readEnd(end));
        break;
      case 16:
        value = readUint32(end) !== 0;
        break;
      case 24:
        value = readInt64(end);
        break;
      case 33:
        value = readDouble(end);
        break;
      case 42:
        value = readList(readEnd(end), depth + 1);
        break;
      case 50:
        value = readKeyValueList(readEnd(end), depth + 1);
        break;
      case 58:
        value = readBytes(readEnd(end));
        break;
      default:
        skipField(tag, end);
    }
  }
  return value;
}

function readList(end: number, depth: number): readonly unknown[] {
  const values: unknown[] = [];
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) values.push(readAnyValue(readEnd(end), depth));
    else skipField(tag, end);
  }
  return values;
}

function readKeyValueList(end: number, depth: number): object {
  const values: Record<string, unknown> = {};
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) readKeyValue(readEnd(end), (key, value) => setOwn(values, key, value), depth);
    else skipField(tag, end);
  }
  return values;
}

/** The attributes of a resource: a message whose first field repeats them. */
export function readResource(start: number, end: number): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  moveTo(start);
  while (position() < end) {
    const tag = readTag(end);
    if (tag === 10) readKeyValue(readEnd(end), takerInto(attributes));
    else skipField(tag, end);
  }
  return attributes;
}

/** What puts attributes into a plain object. */
export function takerInto(
  attributes: Record<string, AttributeValue>,
): (key: string, value: unknown) => void {
  return (key, value) => {
    const told = attributeValue(value);
    if (told !== undefined) setOwn(attributes, key, told);
  };
}
