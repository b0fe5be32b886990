import { type AnyNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import type { Problem } from "./problem.ts";

/** A place in a text; line and column from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Where `JSON.parse` stopped with this error; `undefined` when it can't be found. */
export function syntaxErrorPosition(text: string, error: Error): SourcePosition | undefined {
  const offset = /at position (\d+)/.exec(error.message)?.[1];
  if (offset !== undefined) return positionAt(text, Number(offset));
  try {
    parse(text, { mode: "json" });
  } catch (second) {
    // The parser's errors carry where they happened; its stack overflow on endless nesting doesn't.
    if (second instanceof Error && "offset" in second)
      return positionAt(text, Number(second.offset));
  }
  return undefined;
}

/**
 * Finds positions in a JSON text by path. What is missing is found at the object that misses it. A text that
 * can't be read again (nested beyond the call stack) has no positions.
 */
export function createPositionFinder(
  text: string,
): (path: Problem["path"]) => SourcePosition | undefined {
  const root = bodyOf(text);
  return (path) => {
    let node = root;
    for (const key of path) {
      const next = node && childOf(node, key);
      if (next === undefined) break;
      node = next;
    }
    return node && { line: node.loc.start.line, column: node.loc.start.column };
  };
}

function bodyOf(text: string): ValueNode | undefined {
  try {
    return parse(text, { mode: "json" }).body;
  } catch {
    return undefined;
  }
}

function childOf(node: AnyNode, key: string | number): ValueNode | undefined {
  if (node.type === "Array" && typeof key === "number") return node.elements[key]?.value;
  if (node.type !== "Object") return undefined;
  // The last of equal names is the one that `JSON.parse` keeps.
  return node.members.findLast(
    ({ name }) => (name.type === "String" ? name.value : name.name) === String(key),
  )?.value;
}

function positionAt(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
