/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Those of a list that are texts; none of anything else. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => textOf(item) !== undefined) : [];
}
