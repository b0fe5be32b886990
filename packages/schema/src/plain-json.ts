import { compactJson } from "./deep-json.ts";
import { parse, stringify } from "./native-json.ts";

/** JSON of plain data, whatever the app has since made of `JSON` and of the prototypes; `null` for what JSON has no word for. */
export function toJson(value: unknown): string {
  return haveToJson() ? compactJson(value) : (stringify(value) ?? "null");
}

/**
 * The same, indented by two spaces.
 *
 * @throws Error where the app has given all lists or objects a `toJSON`: such text would be its own, not the data's.
 */
export function toIndentedJson(value: unknown): string {
  if (haveToJson()) throw new Error("every list or object of this program has a toJSON");
  return stringify(value, null, 2);
}

/** What a JSON text says. Throws what `JSON.parse` throws. */
export const fromJson: typeof JSON.parse = parse;

/** Lists have what objects have. */
function haveToJson(): boolean {
  return "toJSON" in Array.prototype;
}
