import { isObject, listOf, membersOf } from "../plain-values.ts";

/** What `opencode export` prints: a session, and its messages with their parts. */
export function isExport(value: unknown): boolean {
  const { info, messages } = membersOf(value);
  return (
    isObject(info) &&
    Array.isArray(messages) &&
    (String(info["id"] ?? "").startsWith("ses") ||
      listOf(messages).some((one) => isObject(membersOf(one)["info"])))
  );
}
