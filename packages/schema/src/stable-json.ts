import { isWritten } from "./deep-json.ts";
import { toJson } from "./plain-json.ts";

/** Deeper than any span's body, far above what the call stack takes. */
const DEEPEST = 500;

/**
 * Compact JSON with the keys of every object sorted: equal values give equal text. For comparing the bodies of
 * records. Total where `JSON.stringify` is not: a cycle reads `"[circular]"`, nesting beyond 500 levels
 * `"[too deep]"`, a bigint its digits. Members that JSON has no word for are left out; in lists they are `null`.
 */
export function stableJson(value: unknown): string {
  return text(value, []) ?? "null";
}

function text(value: unknown, ancestors: object[]): string | undefined {
  if (typeof value === "string") return toJson(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null)
    return isWritten(value) ? toJson(value) : undefined;
  if (ancestors.includes(value)) return '"[circular]"';
  if (ancestors.length === DEEPEST) return '"[too deep]"';
  ancestors.push(value);
  const result = Array.isArray(value) ? listText(value, ancestors) : objectText(value, ancestors);
  ancestors.pop();
  return result;
}

function listText(list: readonly unknown[], ancestors: object[]): string {
  return `[${Array.from(list, (item) => text(item, ancestors) ?? "null").join(",")}]`;
}

function objectText(object: object, ancestors: object[]): string {
  const members = object as Readonly<Record<string, unknown>>;
  let result = "";
  for (const key of Object.keys(object).sort()) {
    const member = text(members[key], ancestors);
    if (member !== undefined) result += `${result && ","}${toJson(key)}:${member}`;
  }
  return `{${result}}`;
}
