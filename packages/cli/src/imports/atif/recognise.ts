import { membersOf } from "../plain-values.ts";

/** A trajectory says which version of the format it is. */
export function isAtif(value: unknown): boolean {
  const { schema_version: version, steps } = membersOf(value);
  return typeof version === "string" && version.startsWith("ATIF-v") && Array.isArray(steps);
}
