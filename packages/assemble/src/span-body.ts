import { hash } from "node:crypto";
import type { SpanRecord } from "@thoughtflow/schema";
import { stableJson } from "@thoughtflow/schema/canonical";
import { jsonOfContent } from "@thoughtflow/schema/content-list";

/** Compact JSON, equal for equal spans whichever way their content came. */
export function bodyOfSpan(record: SpanRecord): string {
  const { content = {}, ...rest } = record;
  const written = Object.entries(content).map(([name, value]): [string, string] => [
    name,
    jsonOfContent(value),
  ]);
  const attributes = Object.fromEntries([...Object.entries(rest.attributes), ...written]);
  return stableJson({ ...rest, attributes });
}

/** The SHA-256 of a span's body, in hex: what tells bodies of one span apart. */
export function digestOfSpan(record: SpanRecord): string {
  return hash("sha256", bodyOfSpan(record));
}
