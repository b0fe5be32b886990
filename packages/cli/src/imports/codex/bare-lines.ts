import type { JsonLine } from "../json-lines.ts";
import { jsonLines } from "../json-lines.ts";
import { isObject, membersOf, type PlainObject } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";

/**
 * The lines of a rollout. Versions before September 2025 wrote their payloads alone: what the thread is, then items of its history,
 * and between them marks that say nothing. Here they are as later versions write them.
 */
export async function* rolloutLines(file: SourceFile): AsyncGenerator<JsonLine> {
  for await (const line of jsonLines(file))
    yield "problem" in line ? line : { ...line, record: asLine(line.record) };
}

/** A line that only such a version wrote; items of a history other programs write, too. */
export function isBareLine(value: unknown): boolean {
  const { type, id, timestamp, record_type: kind } = membersOf(value);
  if (type !== undefined) return false;
  if (kind === "state") return true;
  const isHead = typeof id === "string" && typeof timestamp === "string";
  return isHead && isObject(value) && "instructions" in value;
}

/** A record as later versions write it. */
export function asLine(record: PlainObject): PlainObject {
  const { type, timestamp, payload, record_type: kind } = record;
  if (payload !== undefined) return record;
  if (isBareLine(record))
    return { timestamp, type: kind === undefined ? "session_meta" : "state", payload: record };
  return typeof type === "string" && ITEM.test(type)
    ? { timestamp, type: "response_item", payload: record }
    : record;
}

const ITEM = /^(message|reasoning|\w+_call(_output)?)$/;
