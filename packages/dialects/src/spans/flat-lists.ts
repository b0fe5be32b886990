import type { Attributes, AttributeValue } from "@thoughtflow/schema";

/** One item of a flattened list: `message.role`, `message.tool_calls.0.tool_call.id` … by what follows the index. */
export interface FlatEntry {
  get(path: string): AttributeValue | undefined;
  /** The value when it is a text that is not empty. */
  text(path: string): string | undefined;
  /** The items of a list inside the item. */
  list(path: string): readonly FlatEntry[];
}

/** Nobody writes lists longer than that; a span that does is cut here. */
const MOST_ITEMS = 10_000;

const INDEXED = /^(0|[1-9]\d{0,5})(?:\.|$)/;

/** An attribute: what follows the prefix in its name, and the name. */
type Entry = readonly [path: string, name: string];

/**
 * Finds the items of lists that attributes flatten (`llm.input_messages.0.message.role`). Looked up by name in maps only: no
 * object is ever built along a path, so no name can reach a prototype, and no index makes a long array. `onRead` hears the
 * full name of every attribute that is read.
 */
export function flatLists(
  attributes: Attributes,
  onRead: (name: string) => void,
): (prefix: string) => readonly FlatEntry[] {
  const all = Object.keys(attributes).map((name): Entry => [name, name]);
  const known = new Map<string, readonly FlatEntry[]>();

  function listUnder(prefix: string, entries: readonly Entry[]): readonly FlatEntry[] {
    const start = `${prefix}.`;
    const items = new Map<number, Entry[]>();
    for (const [path, name] of entries) {
      if (!path.startsWith(start)) continue;
      const below = path.slice(start.length);
      const [whole, index] = INDEXED.exec(below) ?? [];
      if (whole === undefined) continue;
      const entry: Entry = [below.slice(whole.length), name];
      const item = items.get(Number(index));
      if (item !== undefined) item.push(entry);
      else if (items.size < MOST_ITEMS) items.set(Number(index), [entry]);
    }
    return [...items].toSorted(([a], [b]) => a - b).map(([, item]) => flatEntry(item));
  }

  function flatEntry(entries: readonly Entry[]): FlatEntry {
    const names = new Map(entries);
    const get = (path: string): AttributeValue | undefined => {
      const name = names.get(path);
      if (name === undefined) return undefined;
      onRead(name);
      return attributes[name];
    };
    return {
      get,
      text(path) {
        const value = get(path);
        return typeof value === "string" && value !== "" ? value : undefined;
      },
      list: (path) => listUnder(path, entries),
    };
  }

  return (prefix) => {
    const found = known.get(prefix) ?? listUnder(prefix, all);
    known.set(prefix, found);
    return found;
  };
}
