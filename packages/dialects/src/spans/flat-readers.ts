import type { AttributeValue } from "@thoughtflow/schema";
import type { FlatEntry } from "./flat-lists.ts";
import type { Reader } from "./reader.ts";
import { parsedOr } from "./span-view.ts";
import { toolDefinitions } from "./tool-definitions.ts";

/** A flattened list of which each item is one tool's definition as JSON: `llm.tools.0.tool.json_schema`. */
export function flatDefinitions(path: string): Reader {
  return {
    as: "flattened tool definitions",
    isList: true,
    read(span, prefix) {
      const items = span.list(prefix).flatMap((entry) => parsedValue(entry.get(path)) ?? []);
      return items.length > 0 ? JSON.stringify(toolDefinitions(items)) : undefined;
    },
  };
}

/**
 * A flattened list of objects of which these members are known, as what a payload holds: `{ "<key>": [{…}, …] }`.
 *
 * @param dropped a member that is known, too, and told nowhere: a vector
 */
export function flatPayload(
  key: string,
  item: string,
  members: readonly string[],
  dropped?: string,
): Reader {
  return {
    as: `flattened list, as \`${key}\``,
    isList: true,
    read(span, prefix) {
      const entries = span.list(prefix);
      if (dropped !== undefined) for (const entry of entries) entry.get(`${item}.${dropped}`);
      const items = entries.map((entry) => membersOf(entry, item, members));
      const known = items.filter((one) => one.length > 0).map((one) => Object.fromEntries(one));
      return known.length > 0 ? JSON.stringify({ [key]: known }) : undefined;
    },
  };
}

/** `llm.request.functions.0.name`, `.description`, `.parameters` as definitions of tools. */
export const flatFunctions: Reader = {
  as: "flattened tool definitions",
  isList: true,
  read(span, prefix) {
    const members = ["name", "description", "parameters"];
    const tools = span
      .list(prefix)
      .map((entry) => Object.fromEntries(membersOf(entry, "", members)))
      .filter((tool) => typeof tool["name"] === "string")
      .map((tool) => ({ type: "function", ...tool }));
    return tools.length > 0 ? JSON.stringify(tools) : undefined;
  },
};

function membersOf(
  entry: FlatEntry,
  item: string,
  members: readonly string[],
): [string, unknown][] {
  return members.flatMap((member): [string, unknown][] => {
    const value = entry.get(item === "" ? member : `${item}.${member}`);
    if (value === undefined) return [];
    return [[member, member === "content" || member === "text" ? value : parsedValue(value)]];
  });
}

function parsedValue(value: AttributeValue | undefined): unknown {
  return typeof value === "string" ? parsedOr(value) : value;
}
