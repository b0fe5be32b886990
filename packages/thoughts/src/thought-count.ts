/**
 * A count as models and other programs write one: a whole number from 1, or its decimal text. `undefined` for anything
 * else.
 */
export function countFrom(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0
    ? number
    : undefined;
}
