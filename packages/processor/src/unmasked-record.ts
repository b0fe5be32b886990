import { defaultRedactor } from "@thoughtflow/redaction";
import type { SpanRecord } from "@thoughtflow/schema";
import { jsonOfContent } from "@thoughtflow/schema/content-list";

/** Whether what a span says, its attributes or how it failed hold what is masked by default: it was told without that. */
export function isUnmasked({
  attributes,
  content = {},
  status: { message = "" },
}: SpanRecord): boolean {
  return (
    Object.entries(attributes).some(
      ([name, value]) => typeof value === "string" && defaultRedactor.text(value, name) !== value,
    ) ||
    defaultRedactor.text(message, "status.message") !== message ||
    Object.entries(content).some(([name, value]) => isUnmaskedText(jsonOfContent(value), name))
  );
}

function isUnmaskedText(json: string, name: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(defaultRedactor.value(value, name)) !== JSON.stringify(value);
  } catch {
    return defaultRedactor.text(json, name) !== json;
  }
}
