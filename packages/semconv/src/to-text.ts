/**
 * What another program wrote where a text should stand, as text: what is none as its JSON, nothing as `""`. `String` would throw
 * at an object that has a `toString` of its own, and say of every other one that it is an object.
 */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Too deep, or not of JSON.
    return "";
  }
}
