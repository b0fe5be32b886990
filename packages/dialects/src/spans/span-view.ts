import type { AttributeValue, SpanRecord } from "@thoughtflow/schema";
import { type FlatEntry, flatLists } from "./flat-lists.ts";

/** A span's attributes as dialects look at them. What was looked at and understood is remembered as said. */
export interface SpanView {
  readonly record: SpanRecord;
  /** The value, `undefined` when absent; never one of the prototype. */
  get(name: string): AttributeValue | undefined;
  /** A text attribute that is not empty. */
  text(name: string): string | undefined;
  /** A text that is JSON, parsed; any other text as it is; other values as they are. */
  value(name: string): unknown;
  /** The items of a list that is flattened into attributes: `<prefix>.0.<rest>`, in the order of their indexes. */
  list(prefix: string): readonly FlatEntry[];
  /** These attributes are told by what was read from them. A trailing `.` means all that begin so. */
  said(names: readonly string[]): void;
  readonly isSaid: ReadonlySet<string>;
}

export function spanView(record: SpanRecord): SpanView {
  const { attributes } = record;
  const isSaid = new Set<string>();
  let lists: ReturnType<typeof flatLists> | undefined;

  const get = (name: string): AttributeValue | undefined =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined;

  return {
    record,
    isSaid,
    get,
    text(name) {
      const value = get(name);
      return typeof value === "string" && value !== "" ? value : undefined;
    },
    value(name) {
      const value = get(name);
      return typeof value === "string" ? parsedOr(value) : value;
    },
    list(prefix) {
      lists ??= flatLists(attributes, (name) => isSaid.add(name));
      return lists(prefix);
    },
    said(told) {
      for (const name of told) {
        if (!name.endsWith(".")) isSaid.add(name);
        else for (const one of Object.keys(attributes)) if (one.startsWith(name)) isSaid.add(one);
      }
    },
  };
}

/** The value of a JSON text; the text itself where it is none. */
export function parsedOr(text: string): unknown {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
