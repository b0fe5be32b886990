import type { AttributeValue, SpanRecord } from "@thoughtflow/schema";
import { fromExactJson } from "@thoughtflow/schema/exact-json";
import { isText, textOf } from "@thoughtflow/schema/stored-text";
import { type FlatEntry, flatLists } from "./flat-lists.ts";

/** A span's attributes as dialects look at them. What was looked at and understood is remembered as said. */
export interface SpanView {
  readonly record: SpanRecord;
  /** The value, also of content that is a text; `undefined` when absent; never one of the prototype. */
  get(name: string): AttributeValue | undefined;
  /** A text attribute that is not empty. */
  text(name: string): string | undefined;
  /** A text that is JSON, parsed, also of texts in quotes in a list; any other text as it is; other values as they are. */
  value(name: string): unknown;
  /** The items of a list that is flattened into attributes: `<prefix>.0.<rest>`, in the order of their indexes. */
  list(prefix: string): readonly FlatEntry[];
  /** These attributes are told by what was read from them. A trailing `.` means all that begin so. */
  said(names: readonly string[]): void;
  readonly isSaid: ReadonlySet<string>;
}

export function spanView(record: SpanRecord): SpanView {
  const { attributes, content } = record;
  const isSaid = new Set<string>();
  let lists: ReturnType<typeof flatLists> | undefined;
  const parsed = new Map<string, unknown>();

  function get(name: string): AttributeValue | undefined {
    if (Object.hasOwn(attributes, name)) return attributes[name];
    const value = content !== undefined && Object.hasOwn(content, name) ? content[name] : undefined;
    return value !== undefined && isText(value) ? textOf(value) : undefined;
  }

  return {
    record,
    isSaid,
    get,
    text(name) {
      const value = get(name);
      return typeof value === "string" && value !== "" ? value : undefined;
    },
    value(name) {
      if (!parsed.has(name)) parsed.set(name, spokenValue(get(name)));
      return parsed.get(name);
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

function spokenValue(value: AttributeValue | undefined): unknown {
  if (typeof value === "string") return parsedOr(value);
  if (!Array.isArray(value)) return value;
  // Of values that are texts some write each as JSON.
  const isQuoted = value.every((one) => typeof one === "string" && /^".*"$/s.test(one));
  return isQuoted ? value.map((one) => parsedOr(String(one))) : value;
}

/** The value of a JSON text; the text itself where it is none. */
export function parsedOr(text: string): unknown {
  if (!/^\s*[[{"\d\-tfn]/.test(text)) return text;
  try {
    return fromExactJson(text);
  } catch {
    return text;
  }
}
