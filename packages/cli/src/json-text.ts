import { printableJson } from "@thoughtflow/render";
import { compactJson } from "@thoughtflow/schema";

/** A value in the format that was asked for: `json` over several lines, `raw` on one, for pipes. */
export function jsonText(value: unknown, format: string): string {
  const json = format === "raw" ? compactJson(value) : JSON.stringify(value, null, 2);
  return `${printableJson(json)}\n`;
}
