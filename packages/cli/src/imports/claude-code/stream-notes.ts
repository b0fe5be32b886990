import { listOf, type PlainObject } from "../plain-values.ts";
import type { TranscriptLine } from "./records.ts";

/** Something in the background is done. */
export const TASK_IS_DONE = "system task_notification";

/** Records of which the run keeps what they say: the field with the words, and the others. */
export const NOTED_RECORDS: Readonly<
  Record<string, readonly [words: string, ...others: string[]]>
> = {
  "system api_retry": ["error", "error_status", "attempt", "max_retries", "retry_delay_ms"],
  "system permission_denied": ["decision_reason", "tool_name", "tool_use_id", "message"],
  "system compact_boundary": ["content", "compact_metadata"],
  [TASK_IS_DONE]: ["summary", "status", "task_id", "tool_use_id", "usage"],
  "system local_command_output": ["content"],
  "system informational": ["content", "level"],
};

/** What a run keeps of a record that is no message; `undefined` where that is nothing. */
export function notedIn({ name, record }: TranscriptLine): PlainObject | undefined {
  if (!Object.hasOwn(NOTED_RECORDS, name)) return undefined;
  const [words = "", ...others] = NOTED_RECORDS[name] ?? [];
  const fields: readonly (readonly [name: string, field: string])[] = [
    ["text", words],
    ...others.map((field) => [field, field] as const),
  ];
  return Object.fromEntries(
    fields.flatMap(([as, field]) => (record[field] === undefined ? [] : [[as, record[field]]])),
  );
}

/** The tools that a turn has, by their names. */
export function toolsIn({ record }: TranscriptLine): readonly object[] {
  return listOf(record["tools"])
    .filter((name) => typeof name === "string")
    .map((name) => ({ type: "function", name }));
}
