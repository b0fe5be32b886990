import { isObject, textOf } from "../plain-values.ts";

/** What a failed tool says in words: of a list of parts their texts, any other part by what it is, as `[image]`; else the JSON of it. */
export function wordsOfResult(result: unknown): string {
  if (typeof result === "string") return result;
  if (!Array.isArray(result) || result.length === 0 || !result.every(isPart))
    return JSON.stringify(result) ?? "";
  return result.map((part) => textOf(part["text"]) ?? `[${part["type"]}]`).join("\n");
}

function isPart(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && typeof value["type"] === "string";
}
